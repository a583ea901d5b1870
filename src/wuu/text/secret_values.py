"""Whether a value can be a credential: not a placeholder, not a reference, not a word of a sentence.

Owns this judgement and nothing else: it sees a value and how it was written, never a text.
"""

import re
from functools import cache
from itertools import pairwise

QUOTED = 4
"""The value stands in quotation marks, or in an element of its own."""
ASSIGNED = 3
"""`NAME=value` without spaces, at the start of a line, in a query or in a connection string."""
LOOSE = 2
"""`name: value`, as in YAML and also in prose."""
SAID = 1
"""`the password is value`, `--password value`."""

_MASK = "\uffff"

_WORDS_IN_ONE = (
    "password passwort passwd kennwort contraseña senha passphrase secret token pass pwd key apikey "
    "none null nil true false undefined string text bytes number boolean integer object required "
    "optional empty unset missing invalid expired valid enabled disabled admin root guest user "
    "username test testing demo default postgres mysql redis changeme changeit foobar prompt stdin "
    "vault keychain keyring bcrypt argon2 argon2id scrypt value plain plaintext hashed encrypted "
    "hidden redacted removed masked unknown include omit same-origin example placeholder basic bearer "
    "digest oauth2 ed25519 strict confirm confirmed nullable varchar unique always never"
)
_STAND_IN_PARTS_IN_ONE = (
    "your example placeholder changeme change replace replaceme insert dummy fake sample mock "
    "redacted removed masked here todo tbd xxx xxxx foobar notreal yours goes"
)
_REFERENCES = (
    *("op://", "env:", "env.", "vault:", "file:", "ssm:", "arn:", "projects/", "secret://", "keyring:"),
    *("ref+", "process.env", "os.environ", "secrets.", "ssh-", "ecdsa-", "{{", "${", "$(", "#{", "%(", "<%"),
    *("enc[", "aws-kms", "sops:", "bws:", "pass:", "@microsoft.keyvault", "http://", "https://", "data:"),
)
_FUNCTION_WORDS_IN_ONE = (
    "a an and at be by for from in is it its of on or the this to use was with your you must enter "
    "please least characters minimum password passwort el la los de der die das und y not see ask are "
    "as has have will should only no new min max"
)
_WORDS = frozenset(_WORDS_IN_ONE.split())
_STAND_IN_PARTS = frozenset(_STAND_IN_PARTS_IN_ONE.split())
_FUNCTION_WORDS = frozenset(_FUNCTION_WORDS_IN_ONE.split())
_SOFT = frozenset("-_./:|,+@ ")
_NOTHING = frozenset("x*•.-_#?0…×")


def is_credible(kind: str, value: str, context: int) -> bool:
    """Say whether `value`, promised to be a `kind` and written in `context`, can be a credential."""
    if len(value) < 4 or is_stand_in(value):
        return False
    if kind == "mnemonic":
        return {"the", "and", "for"}.isdisjoint(value.split())
    if kind == "password" or (kind == "credential" and ":" in value):
        return _can_be_password(value, context)
    return _can_be_token(kind, value, context)


def is_stand_in(value: str) -> bool:
    """Say whether `value` only marks the place of a credential, or says where to get it."""
    low = value.casefold()
    if _MASK in value or "..." in value or "…" in value or set(low) <= _NOTHING or len(set(low)) == 1:
        return True
    if low in _WORDS or low.startswith(_REFERENCES) or low.startswith(("your", "changeme", "changeit")):
        return True
    if _patterns()["stand-in"].fullmatch(value) or _patterns()["pattern"].search(value):
        return True
    parts = _patterns()["words"].findall(low)
    return not _STAND_IN_PARTS.isdisjoint(parts) and max(map(len, parts)) < 16 and is_worded(value)


def is_worded(value: str) -> bool:
    """Say whether `value` is made of words, as names, slugs, paths and expressions are."""
    if _patterns()["dense"].fullmatch(value):
        return False
    value = value.replace("25519", "")
    parts = _patterns()["parts"].findall(value)
    words = [part for part in parts if part[0].isalpha()]
    numbers = [part for part in parts if part[0].isdigit()]
    if (
        len(numbers) > 2
        or any(len(number) > 4 for number in numbers)
        or any(len(word) > 20 for word in words)
    ):
        return False
    if not all(part[0].isalnum() or _SOFT.issuperset(part) for part in parts):
        return False
    return bool(words) and sum(map(len, words)) >= 3 * len(words) and _short_joints(parts) < 4


def _short_joints(parts: list[str]) -> int:
    """Count where two words touch of which one has a letter or two: `FEMIbPxRfi`, not `resetTokenByMail`."""
    return sum(
        one[0].isalpha() and other[0].isalpha() and min(len(one), len(other)) < 3
        for one, other in pairwise(parts)
    )


def _can_be_token(kind: str, value: str, context: int) -> bool:
    if not value.isascii() or any(map(str.isspace, value)) or _is_path(value):
        return False
    if value.isdigit():
        return len(value) >= 8 and context >= ASSIGNED
    if context >= ASSIGNED and _patterns()["numbered"].fullmatch(value):
        return _patterns()["algorithm"].fullmatch(value) is None
    if is_worded(value) or _patterns()["number"].fullmatch(value):
        return False
    shortest = {SAID: 10, LOOSE: 8}.get(context, 6 if kind == "secret" else 8)
    has_digit = any(map(str.isdigit, value))
    return len(value) >= shortest and (has_digit or len(value) >= 16)


def _can_be_password(value: str, context: int) -> bool:
    if any(map(str.isspace, value)):
        return context == QUOTED and is_phrase(value.split())
    if _is_path(value) or _patterns()["number"].fullmatch(value):
        return False
    if value.isdigit():
        return len(value) >= (4 if context >= ASSIGNED else 6)
    worded = is_worded(value)
    if context >= ASSIGNED:
        return not (worded and not _has_digit(value) and _names_a_secret(value)) and len(value) >= 4
    if worded and (not _has_digit(value) or _names_a_secret(value)):
        return False
    if _patterns()["algorithm"].fullmatch(value) or _patterns()["email"].fullmatch(value):
        return False
    return _has_digit(value) or not value.rstrip("!?").isalpha()


def _has_digit(value: str) -> bool:
    return any(map(str.isdigit, value))


def _names_a_secret(value: str) -> bool:
    """Say whether `value` reads as the name of a variable: `userPassword`, `db_pass`, `token2`."""
    low = value.casefold()
    if not any(word in low for word in ("pass", "pwd", "secret", "token", "kennwort", "contrase")):
        return False
    return len(low.rstrip("0123456789")) > len(low) - 2 or not value.rstrip("0123456789").isalpha()


def _is_path(value: str) -> bool:
    return _patterns()["path"].fullmatch(value) is not None


def is_phrase(words: list[str]) -> bool:
    """Tell a pass phrase from a sentence: no small words, or few words with a digit among them."""
    low = [word.casefold() for word in words]
    if len(words) >= 3 and all(
        word.isalpha() and word == small for word, small in zip(words, low, strict=True)
    ):
        return _FUNCTION_WORDS.isdisjoint(low)
    telling = {"at", "least", "characters", "must", "enter", "your", "please", "password", "the", "is"}
    return len(words) <= 4 and any(map(_has_digit, words)) and telling.isdisjoint(low)


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    sources = {
        "stand-in": r"<[^<>]*>|\[[^\[\]]*\]|\{[^{}]*\}|%\w+%|\$\w*[A-Za-z]\w*|![A-Za-z]+|@[A-Z_]+@"
        r"|[$@&*]?[A-Za-z_][\w.:$>-]*[(\[].*[)\]]|[a-z]+\|[a-z0-9:,|]+|[A-Za-z_]{3}[A-Za-z_.]*[(\[].*",
        "pattern": r"\[\^?[a-zA-Z0-9]-|\(\?[:=!<]|%[sdr]|\{[a-z_.\d]*\}",
        "words": r"[a-z0-9]+",
        "parts": r"[A-Z]?[a-z]+|[A-Z]+|\d+|[^A-Za-z\d]+",
        "number": r"v?\d{1,5}(?:[.,:/-]\d{1,5})*(?:%|x|k|[kmg]b|ms|s|m|h|d|min)?|\d{4}-\d\d-\d\dT[\d:.]+Z?",
        "algorithm": r"(?i:sha|md|base|utf|aes|rsa|bcrypt|argon|scrypt|pbkdf|oauth|http|ipv?|rfc|[hre]s|ed|x)"
        r"[-_]?\d+|\d{1,3}-[a-z]+",
        "numbered": r"[A-Za-z]{3,}\d{3,}",
        "dense": r"(?=[A-Za-z\d]{8})[A-Za-z]+\d+[A-Za-z]+\d+[A-Za-z\d]*"
        r"|(?=[a-z]*\d+[a-z])[a-z\d]{16,}|(?=[A-Z]*\d+[A-Z])[A-Z\d]{16,}",
        "email": r"[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}",
        "path": r"(?:~|\.{1,2}|[A-Za-z]:)?(?:[/\\]{1,2}[\w.@ -]+){2,}/?|(?:~|\.{1,2})[/\\][\w.-]+",
    }
    return {name: re.compile(source) for name, source in sources.items()}
