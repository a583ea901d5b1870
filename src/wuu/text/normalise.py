"""When two texts or two names count as the same, and which file names wuu accepts and makes.

Owns the duplicate key of a memory, the keys of links and names, and the rule for topic file names. It asks no
disk whether a name is taken, and never changes the text or the title itself.
"""

import unicodedata

MAX_STEM_BYTES = 120
"""Longest stem of a file name that `safe_file_name` makes, in UTF-8 bytes."""

MAX_NAME_BYTES = 240
"""Longest topic file name that is accepted, in UTF-8 bytes: a temporary suffix must still fit in 255."""

_INDEX_KEY = "memory.md"
_EXTENSION = ".md"
_DIGEST_DIGITS = 8
_SPELLED_OUT = {"+": "plus", "#": "sharp"}
_SPECIAL_STEMS = frozenset({"memory", "agents", "claude"})
_WINDOWS_DEVICES = frozenset(
    ["con", "prn", "aux", "nul", "clock$", "conin$", "conout$"]
    + [port + digit for port in ("com", "lpt") for digit in "0123456789\u00b9\u00b2\u00b3"]
)
_NOT_IN_NAMES = frozenset({"Cc", "Cs", "Zl", "Zp"})
_INVISIBLE_LETTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
_VARIATION_SELECTORS = ((0x180B, 0x180F), (0xFE00, 0xFE0F), (0xE0100, 0xE01EF))


def duplicate_key(text: str) -> str:
    """Return the key under which two memories count as the same text (FACTS, "MendCode memories").

    NFKC, case-folded, every run of white space one space, none at the ends.
    """
    if text.isascii():
        return " ".join(text.casefold().split())
    for _ in range(2):  # folding can undo the normal form; the second round reaches the fixed point
        text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(text.split())


def path_key(name: str) -> str:
    """Return the key of a name on a disk that ignores case and Unicode normalisation (case O-20)."""
    if name.isascii():
        return name.casefold()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())


def link_key(name: str) -> str:
    """Return the key under which a link of the index meets its topic: `My_Topic.md` equals `my-topic`."""
    key = path_key(name).removesuffix(_EXTENSION)
    return key.replace("_", "-").replace(" ", "-")


def name_problem(file: str) -> str | None:
    """Say why a file of this name is no topic, as the end of a sentence, or return None.

    The plain rule of FACTS, "Wuu notebook", for files that exist: a plain base name ending `.md`, not hidden,
    not MEMORY.md in any case. It is asked once for every file of a large folder.
    """
    if not file:
        return "is empty"
    if "/" in file or "\\" in file:
        return "is not a plain file name: / and \\ are not allowed"
    if not file.isprintable() and any(unicodedata.category(character) in _NOT_IN_NAMES for character in file):
        return "holds a control character, a line break or a byte that is not UTF-8"
    if file[0] == ".":
        return "is hidden: it starts with a dot"
    if not file.endswith(_EXTENSION):
        return "does not end in .md"
    return "is the index itself" if path_key(file) == _INDEX_KEY else None


def topic_name_problem(file: str) -> str | None:
    """Say why a new topic or page cannot be called `file`, as the end of a sentence, or return None.

    The rule of `name_problem`, and ours: valid on every system (case O-19), with room for a temporary suffix.
    """
    return name_problem(file) or _portability_problem(file)


def safe_file_name(name: str) -> str:
    """Return a topic file name for the human title `name`, valid on every system (case O-19).

    Letters and digits of every script stay, lower-cased, in NFC; `C++` and `C#` become `cplusplus.md` and
    `csharp.md`; everything else becomes single hyphens, and a `.md` at the end is not doubled. Where that
    says too little (no letter or digit, over 120 bytes, a name that Windows or an agent treats specially),
    eight hex digits of the title's SHA-256 follow.
    """
    title = unicodedata.normalize("NFC", name)
    words = title.strip()
    stem = _stem(words[:-3] if words.lower().endswith(_EXTENSION) else words)
    if not stem:
        return f"topic-{_digest(title)}{_EXTENSION}"
    if len(stem.encode()) > MAX_STEM_BYTES:
        room = MAX_STEM_BYTES - _DIGEST_DIGITS - 1
        head = stem.encode()[:room].decode(errors="ignore").rstrip("-")
        return f"{head}-{_digest(title)}{_EXTENSION}"
    if stem in _SPECIAL_STEMS or stem in _WINDOWS_DEVICES:
        return f"{stem}-{_digest(title)}{_EXTENSION}"
    return stem + _EXTENSION


def _portability_problem(file: str) -> str | None:
    if ":" in file:
        return "is not a plain file name: a colon is not allowed"
    stem = file.removesuffix(_EXTENSION)
    if stem != stem.rstrip(". "):
        return "has a dot or a space before .md, which Windows drops"
    if path_key(stem.split(".", 1)[0].rstrip(" ")) in _WINDOWS_DEVICES:
        return "is a device name on Windows"
    if len(file.encode()) > MAX_NAME_BYTES:
        return f"is longer than {MAX_NAME_BYTES} bytes"
    return None


def _stem(title: str) -> str:
    parts: list[str] = []
    in_word = False
    for character in unicodedata.normalize("NFC", title.lower()):
        spelled = _SPELLED_OUT.get(character, character) if in_word else character
        in_word = spelled != character or _is_word_character(character, in_word=in_word)
        if in_word:
            parts.append(spelled)
        elif parts and parts[-1] != "-":
            parts.append("-")
    return "".join(parts).strip("-")


def _is_word_character(character: str, *, in_word: bool) -> bool:
    """Accept letters, digits, and marks that belong to the letter before: vowel signs, unusual accents."""
    if character.isascii():
        return character.isalnum()
    if character in _INVISIBLE_LETTERS:
        return False
    if any(first <= ord(character) <= last for first, last in _VARIATION_SELECTORS):
        return False
    return character.isalnum() or (in_word and unicodedata.category(character) in ("Mn", "Mc"))


def _digest(title: str) -> str:
    from wuu.ids import sha256_hex  # noqa: PLC0415  (OpenSSL costs 0.3 x bare Python; few names need digits)

    return sha256_hex(title.encode("utf-8", "surrogatepass"))[:_DIGEST_DIGITS]
