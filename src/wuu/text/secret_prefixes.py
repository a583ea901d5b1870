"""Credentials that show by their own shape whose they are: the keys of providers.

Owns the table of prefixes and what has to follow them. It knows nothing about what stands around a key, and
reads only texts in which `wuu.text.secrets` saw a long word. Each pattern is compiled when its prefix is met.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from wuu.text.secret_values import is_stand_in, is_worded

_A = "[A-Za-z0-9]"
_W = r"[A-Za-z0-9_-]"
_B = r"(?:[A-Za-z0-9+/=_-]|\\/)"
_H = "[0-9a-fA-F]"
_B64_LINES = r"(?:[A-Za-z0-9+/=]|\\/)"

# kind, prefix as it is written, pattern of what follows. The prefix in lower case is the needle.
_PREFIXES: tuple[tuple[str, str, str], ...] = (
    *(("github-token", f"gh{letter}_", rf"{_A}{{30,}}") for letter in "pousr"),
    ("github-token", "github_pat_", r"[A-Za-z0-9_]{40,}"),
    *(
        ("gitlab-token", prefix, rf"{_W}{{20,}}(?:\.{_A}{{2,}}\.{_A}{{6,}})?")
        for prefix in (
            *("glpat-", "gldt-", "glrt-", "glptt-", "glft-", "glimt-", "glagent-", "glsoat-", "gloas-"),
            *("glcbt-", "glffct-"),
        )
    ),
    *(("aws-key-id", prefix, r"[A-Z0-9]{16}(?![A-Za-z0-9])") for prefix in ("AKIA", "ASIA", "ABIA", "ACCA")),
    ("aws-bedrock-key", "ABSK", rf"{_B}{{60,}}"),
    ("google-api-key", "AIza", rf"{_W}{{35,}}"),
    ("google-client-secret", "GOCSPX-", rf"{_W}{{20,}}"),
    ("google-token", "ya29.", r"[A-Za-z0-9_.-]{20,}"),
    ("anthropic-key", "sk-ant-", rf"{_W}{{20,}}"),
    ("openai-key", "sk-proj-", rf"{_W}{{20,}}"),
    ("openai-key", "sk-svcacct-", rf"{_W}{{20,}}"),
    ("openai-key", "sk-admin-", rf"{_W}{{20,}}"),
    ("openrouter-key", "sk-or-", rf"{_W}{{20,}}"),
    ("api-key", "sk-", rf"{_W}{{20,}}"),
    *(("slack-token", f"xox{letter}", r"(?:\.xox[bp])?-[A-Za-z0-9-]{10,}") for letter in "abeoprs"),
    ("slack-token", "xapp-", r"[A-Za-z0-9-]{20,}"),
    *(
        ("stripe-key", f"{what}_{mode}_", rf"{_A}{{10,}}")
        for what in ("sk", "rk")
        for mode in ("live", "test", "prod")
    ),
    ("webhook-secret", "whsec_", r"[A-Za-z0-9+/=]{20,}"),
    ("twilio-key", "SK", r"[0-9a-f]{32}(?![A-Za-z0-9])"),
    ("sendgrid-key", "SG.", rf"{_W}{{16,}}\.{_W}{{16,}}"),
    ("npm-token", "npm_", rf"{_A}{{30,}}"),
    ("pypi-token", "pypi-Ag", rf"{_W}{{40,}}"),
    ("rubygems-key", "rubygems_", rf"{_H}{{32,}}"),
    ("nuget-key", "oy2", r"[a-z0-9]{43}(?![A-Za-z0-9])"),
    ("hugging-face-token", "hf_", rf"{_A}{{30,}}"),
    *(("digitalocean-token", f"do{letter}_v1_", rf"{_H}{{40,}}") for letter in "opr"),
    *(("shopify-token", f"shp{what}_", rf"{_H}{{32,}}") for what in ("at", "ca", "pa", "ss")),
    ("databricks-token", "dapi", r"[0-9a-f]{32}(?:-\d)?(?![A-Za-z0-9])"),
    ("linear-key", "lin_api_", rf"{_A}{{32,}}"),
    ("notion-token", "secret_", rf"{_A}{{43}}(?![A-Za-z0-9])"),
    ("notion-token", "ntn_", rf"{_A}{{40,}}"),
    *(("vault-token", f"hv{letter}.", rf"{_W}{{20,}}") for letter in "sbr"),
    *(("doppler-token", f"dp.{what}.", r"[A-Za-z0-9_.-]{40,}") for what in ("pt", "st", "ct", "sa", "scim")),
    ("supabase-token", "sbp_", rf"{_H}{{40,}}"),
    ("supabase-key", "sb_secret_", rf"{_W}{{20,}}"),
    ("mailgun-key", "key-", r"[0-9a-f]{32}(?![A-Za-z0-9])"),
    ("postman-key", "PMAK-", r"[0-9a-f]{24}-[0-9a-f]{34}"),
    *(("new-relic-key", prefix, r"[A-Z0-9]{27,}") for prefix in ("NRAK-", "NRII-", "NRAA-")),
    ("sentry-token", "sntrys_", rf"{_B}{{40,}}"),
    ("sentry-token", "sntryu_", rf"{_H}{{40,}}"),
    ("groq-key", "gsk_", rf"{_A}{{40,}}"),
    ("xai-key", "xai-", rf"{_A}{{40,}}"),
    ("replicate-token", "r8_", rf"{_A}{{37,}}"),
    ("perplexity-key", "pplx-", rf"{_A}{{40,}}"),
    ("fireworks-key", "fw_", rf"{_A}{{20,}}"),
    ("nvidia-key", "nvapi-", rf"{_W}{{40,}}"),
    ("tavily-key", "tvly-", rf"{_W}{{20,}}"),
    ("pinecone-key", "pcsk_", r"[A-Za-z0-9_]{40,}"),
    ("langsmith-key", "lsv2_", r"(?:pt|sk)_[A-Za-z0-9_]{32,}"),
    ("tailscale-key", "tskey-", rf"{_W}{{20,}}"),
    ("grafana-token", "glsa_", r"[A-Za-z0-9_]{32,}"),
    ("grafana-token", "glc_", rf"{_B}{{32,}}"),
    ("figma-token", "figd_", rf"{_W}{{32,}}"),
    *(("atlassian-token", prefix, r"[A-Za-z0-9_=-]{50,}") for prefix in ("ATATT3", "ATCTT3")),
    ("bitbucket-token", "ATBB", rf"{_A}{{28,}}"),
    ("dropbox-token", "sl.", r"[A-Za-z0-9_.-]{100,}"),
    ("netlify-token", "nfp_", rf"{_A}{{36,}}"),
    *(("fly-token", prefix, r"(?:[A-Za-z0-9+/=_,-]|\\/){40,}") for prefix in ("fo1_", "fm1r_", "fm2_")),
    *(("docker-token", f"dckr_{what}_", rf"{_W}{{20,}}") for what in ("pat", "oat")),
    *(("circleci-token", f"CCI{what}_", r"[A-Za-z0-9_]{40,}") for what in ("PAT", "PRJ")),
    *(("planetscale-token", f"pscale_{what}_", r"[A-Za-z0-9_.-]{32,}") for what in ("tkn", "pw", "oauth")),
    *(("sonar-token", f"sq{letter}_", rf"{_H}{{40}}(?![A-Za-z0-9])") for letter in "apu"),
    *(("square-token", prefix, rf"{_W}{{22,}}") for prefix in ("sq0atp-", "sq0csp-")),
    ("pulumi-token", "pul-", rf"{_H}{{40}}(?![A-Za-z0-9])"),
    ("buildkite-token", "bkua_", rf"{_H}{{40,}}"),
    ("heroku-key", "HRKU-", rf"{_W}{{32,}}"),
    ("contentful-token", "CFPAT-", rf"{_W}{{40,}}"),
    ("posthog-key", "phx_", rf"{_A}{{40,}}"),
    ("alibaba-key-id", "LTAI", rf"{_A}{{16,20}}(?![A-Za-z0-9])"),
    ("artifactory-key", "AKCp", rf"{_A}{{60,}}"),
    ("1password-token", "ops_eyJ", rf"{_B}{{100,}}"),
    ("cloudflare-key", "v1.0-", r"[0-9a-f]{24}-[0-9a-f]{100,}"),
    ("facebook-token", "EAAC", rf"{_A}{{40,}}"),
    ("age-key", "AGE-SECRET-KEY-1", r"[0-9A-Z]{50,}"),
    ("mapbox-token", "sk.eyJ", rf"{_W}{{40,}}\.{_W}{{16,}}"),
    ("jwt", "eyJ", rf"{_W}{{8,}}\.eyJ{_W}{{2,}}(?:\.{_W}*)?"),
    ("jwt", "eyJ", rf"{_W}{{8,}}\.(?:{_W}{{0,512}}\.){{3}}{_W}{{10,}}"),
    ("private-key", "b3BlbnNzaC1rZXktdjE", rf"{_B64_LINES}{{20,}}(?:\s+[A-Za-z0-9+/=]{{50,}})*"),
    *(
        ("private-key", f"LS0tLS1CRUdJTi{what}", rf"{_B64_LINES}{{20,}}")
        for what in (
            *("BSU0EgUFJJVkFURSBLRVk", "BQUklWQVRF", "BPUEVOU1NI", "BFQyBQUklW", "BFTkNSWVBURUQ"),
            "BQR1AgUFJJVkFURS",
        )
    ),
    *(("password-hash", f"$2{letter}$", r"\d\d\$[./A-Za-z0-9]{53}") for letter in "aby"),
    *(
        ("password-hash", prefix, r"(?:rounds=\d{1,9}\$)?[./A-Za-z0-9]{1,64}\$[./A-Za-z0-9]{22,}")
        for prefix in ("$6$", "$5$", "$1$", "$apr1$")
    ),
    ("password-hash", "$argon2", r"(?:id|i|d)\$[A-Za-z0-9+/=,$]{40,}"),
)

# Credentials without a prefix of letters: what a long word holds, kind, and a pattern for the whole text.
_SHAPES: tuple[tuple[bytes, str, str], ...] = (
    (b"aa", "telegram-token", r"(?<![A-Za-z0-9\uffff])\d{8,10}:(AA[A-Za-z0-9_-]{32,34})(?![A-Za-z0-9_-])"),
    (
        b".atlasv1.",
        "terraform-token",
        r"(?<![A-Za-z0-9\uffff])([A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{40,})",
    ),
    (b"0g", "google-token", rf"(?<![A-Za-z0-9\uffff])(1//0{_W}{{30,}})"),
)
_DISCORD = ("discord-token", rf"(?<![\w.\uffff-])([MNO]{_W}{{23,27}}\.{_W}{{6}}\.{_W}{{27,38}})(?![\w.-])")
_AZURE = (
    "azure-secret",
    r"(?<![A-Za-z0-9\uffff])([A-Za-z0-9_.-]{3}[78]Q~[A-Za-z0-9_.~-]{31,34})(?![A-Za-z0-9])",
)

_SHORT_PREFIX = 4  # `sk-`, `key-` and `hf_` begin other words too
_FEWEST_CHARACTERS = 4

_ESCAPES = "nrtbf"
_COLOURS = ("\x1b", "u001b", "x1b", "033", "\\e")
_HEX = frozenset("0123456789abcdefABCDEF")


def find_prefixed(text: str, folded: bytes, words: Sequence[bytes]) -> Iterator[tuple[str, int, int]]:
    """Yield kind, start and end of each key of a provider.

    `folded` is `text` in lower case, one byte a character; `words` are its long words.
    """
    seen = b" ".join(words)
    for sign, needles in _needles():
        if sign in seen:
            for number in [number for needle, number in needles if needle in seen]:
                yield from _find(text, folded, number)
    for needle, kind, pattern in _SHAPES:
        if needle in seen:
            yield from _find_shape(text, kind, pattern)
    if any(len(word) > 56 and word.count(b".") > 1 for word in words):
        yield from _find_shape(text, *_DISCORD)
    if b"~" in folded and b"q~" in folded:
        yield from _find_shape(text, *_AZURE)


@cache
def _needles() -> tuple[tuple[bytes, tuple[tuple[bytes, int], ...]], ...]:
    """Return the needles and their numbers, in groups that have a sign in common."""
    groups: dict[bytes, list[tuple[bytes, int]]] = {sign: [] for sign in (b"_", b"-", b".", b"$", b"")}
    for number, (_, prefix, _) in enumerate(_PREFIXES):
        needle = prefix.lower().encode()
        groups[next(sign for sign in groups if sign in needle)].append((needle, number))
    return tuple((sign, tuple(needles)) for sign, needles in groups.items())


@cache
def _pattern(number: int) -> re.Pattern[str]:
    _, prefix, tail = _PREFIXES[number]
    return re.compile(f"{re.escape(prefix)}({tail})")


@cache
def _shape_pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _find(text: str, folded: bytes, number: int) -> Iterator[tuple[str, int, int]]:
    kind, prefix, _ = _PREFIXES[number]
    needle = prefix.lower().encode()
    at = folded.find(needle)
    while at >= 0:
        end = at + len(needle)
        if (
            text.startswith(prefix, at)
            and _begins_here(text, at)
            and (found := _pattern(number).match(text, at))
        ):
            end = found.end()
            if _is_key(found[1], is_telling=len(prefix) > _SHORT_PREFIX):
                yield kind, at, end
        at = folded.find(needle, end)


def _find_shape(text: str, kind: str, pattern: str) -> Iterator[tuple[str, int, int]]:
    for found in _shape_pattern(pattern).finditer(text):
        if not is_stand_in(found[1]) and not is_worded(found[1]):
            yield kind, found.start(1), found.end(1)


def _is_key(tail: str, *, is_telling: bool) -> bool:
    """Say whether what follows a prefix is random; a prefix that is nothing else is believed more easily."""
    if len(set(tail)) < _FEWEST_CHARACTERS or "xxxx" in tail.lower() or is_stand_in(tail):
        return False
    is_mixed = not tail.islower() and not tail.isupper() and any(map(str.isdigit, tail))
    return (is_telling and is_mixed) or not is_worded(tail)


def _begins_here(text: str, at: int) -> bool:
    r"""Say whether a word begins at `at`: also behind an escape (`\n`, `%3D`) or a colour code."""
    before = text[max(0, at - 16) : at]
    if not before or not (before[-1].isalnum() or before[-1] in "_-\uffff"):
        return True
    if before[-2:-1] == "\\":
        return before[-1] in _ESCAPES
    if before[-3:-2] == "%" or before[-6:-4] == "\\u":
        return before[-1] in _HEX and before[-2] in _HEX
    escape, bracket, code = before.rpartition("[")
    return (
        bracket == "[" and escape.endswith(_COLOURS) and code.rstrip("0123456789;m") == "" and code[-1] == "m"
    )
