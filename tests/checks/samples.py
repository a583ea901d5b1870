"""Reports that the formats are held against: one problem of every code, hostile names, none, and many."""

from wuu.checks.places import Base
from wuu.checks.report import Report
from wuu.problems import CODES, Problem, problem

BASE = Base("docs/memory", absolute=False)
ABSOLUTE = Base("/home/dana/.wuu/memory", absolute=True)

EVERY_CODE = Report(
    tuple(
        problem(
            code,
            f"topic-{at}.md",
            at or None,
            f"This is the message of {code}.",
            "Do this." if at % 2 else None,
        )
        for at, code in enumerate(CODES)
    ),
    40,
    "/work/docs/memory",
)
NOTHING = Report((), 14, "/work/docs/memory")
MANY = Report(
    tuple(problem("dangling_link", "MEMORY.md", at, f"It names gone-{at}.md.") for at in range(1, 1_001)),
    1_000,
    "/work/docs/memory",
)

HOSTILE_NAMES = (
    "ferry 🛥️ timetable.md",
    "50% off, really: 100%25.md",
    "a,b:c;d=e.md",
    'it\'s "quoted" <b>&amp;</b>.md',
    "line\nfeed.md",
    "carriage\rreturn.md",
    "escape \x1b[31m red.md",
    "right-to-left \u202e dm.exe.md",
    "not utf-8 \udcff\udcfe.md",
    "not a character \ufffe\uffff.md",
    "schlüssel 鍵 ключ.md",
    "# hash ? query.md",
    "back\\slash.md",
    "c: drive.md",
)
HOSTILE_TEXTS = (
    "Two\nlines\r\nand a\rreturn.",
    "::error file=other.md::forged\n::warning::forged",
    "%0A %25 100 %",
    "<failure/> ]]> &lt; \x00 \x08 \x7f \x85 \ufffe \udc80",
    "Write [this](https://example.org/) and [that](1) into {0} or {{1}}.",
)
HOSTILE = Report(
    tuple(
        Problem("dangling_link", "error" if at % 2 else "warning", name, 3, text, text)
        for at, (name, text) in enumerate((name, text) for name in HOSTILE_NAMES for text in HOSTILE_TEXTS)
    ),
    len(HOSTILE_NAMES),
    "/work/docs/memory",
)

REPORTS = {"every code": EVERY_CODE, "hostile": HOSTILE, "nothing": NOTHING, "many": MANY}
