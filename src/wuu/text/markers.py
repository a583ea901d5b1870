"""Words by which a person makes something last, and whether a text is what a message asks to remember.

Seed 002, "Memory consent and notices" and "What the model is told to save". The tables are meant to grow; to
add a language, add its words. Owns no state and knows nothing of memories. Where it is unsure it says no.
"""

import re
from collections.abc import Sequence
from itertools import groupby

from wuu.text.consent import HIDDEN, asks_to_remember, find_asked, tokens
from wuu.text.irregular import STOP_WORDS
from wuu.text.words import words

__all__ = ["asks_to_remember", "has_standing_marker", "matches_message", "restates"]

_STANDING = """
remember; always; never; from now on; going forward; i prefer; i'd prefer; i would prefer; we prefer
don't forget; do not forget; dont forget; keep in mind; by default; every time; each time; whenever
siempre; nunca; jamas; recuerda; recuerdalo; recuerdame; recuerde; recuerden; recuerdes; recorda; recordar
acuerdate; de ahora en adelante; de aqui en adelante; a partir de ahora; desde ahora; en adelante; prefiero
preferimos; no olvides; no te olvides; no lo olvides; ten en cuenta; por defecto; cada vez que
"""
_STANDING_WORDS = re.compile(
    "(?<![\\w'])(?:" + "|".join(re.split(r"[;\n] ?", _STANDING.strip())) + ")(?![\\w'])"
)

_LONGEST = 200
"""Most tokens of a fact, and of what is asked for, that are compared; longer ones are no single fact."""

_MANY, _MOSTLY = 3, 2  # distinctive words of a text that restates a message, and which part of them

# Words that turn or limit what is said: all of them must be in the fact too, and none besides.
_TURNING_WORDS = """
not: no not never dont cannot cant doesnt didnt isnt arent wasnt werent havent hasnt wont wouldnt
not: couldnt shouldnt nunca jamas ni nor neither tampoco
none: none nobody nothing nadie ninguno ninguna ningun
without: without sin
only: only solo solamente unicamente
except: except unless excepto salvo menos
when: if si whenever when cuando
until: until till hasta
before: before antes
after: after despues tras
while: while during mientras durante
or: or o u either
maybe: maybe perhaps might may could would quizas quiza
was: was were used fue era eran
all: all every each todo todos toda todas cada
more: more mas
from: from desde
than: than
instead: instead
over: over
rather: rather
under: under
off: off
out: out
up: up
down: down
against: against contra
less: less
most: most
"""
# Words that report: they may be added to what was said, and changed with the person who speaks.
_REPORTING_WORDS = """
name: name names named called nombre llama llamo llamas
prefer: prefer prefers preferred prefiere prefiero prefieren
like: like likes gusta gustan
want: want wants quiere quiero
say: say says said states stated asks dice dijo
"""
_PEOPLE = """
speaker: user users person human usuario usuaria persona
self: i me my mine myself i'm i'd i've i'll yo mi mis mio mia conmigo
you: you your yours tu tus ti contigo usted ustedes vos you're you'd
he: he him his he's
she: she her hers she's ella
they: they them their theirs they're su sus le les ellos ellas
we: we us our ours we're nosotros nosotras nuestro nuestra nuestros nuestras
"""
# The same verb of the one who speaks, and of the one of whom one speaks.
_VERBS_OF_SPEAKERS = """
usa: uso
vive: vivo
trabaja: trabajo
esta: estoy
habla: hablo
bebe: bebo
odia: odio
necesita: necesito
escribe: escribo
estudia: estudio
evita: evito
es: soy
programa: programo
lee: leo
duerme: duermo
compila: compilo
despliega: despliego
tiene: tengo
"""


def _table(lines: str) -> dict[str, str]:
    """Return for each word of a table what stands before the colon of its line."""
    rows = (line.split(": ") for line in lines.strip().splitlines())
    return {word: kind for kind, found in rows for word in found.split()}


_TURNING, _REPORTS = _table(_TURNING_WORDS), _table(_REPORTING_WORDS)
_WHO, _VERBS = _table(_PEOPLE), _table(_VERBS_OF_SPEAKERS)
_TURNS = frozenset(_TURNING.values())
_THIRD_PERSON = "they"  # in a fact this may be the speaker
_OBLIGES = re.compile(
    r"\b(?:you|usted) (?=(?:should|must|have to|need to|can|always|never|debe|tiene que)\b)"
)
_DROPPED = frozenset(("should", "must", "please", "really", "always", "siempre", "simply"))
_FIRST = frozenset(("llamo", "prefiero", "quiero", "me"))
_JOINS = frozenset((",", ":", ".", "?", "and", "y", "e", "but", "pero"))


def has_standing_marker(message: str) -> bool:
    """Tell whether `message` says that something shall last: remember, always, from now on, siempre.

    Whole words, in any case and spacing, with or without accents. Seed 002, "What the model is told to save".
    """
    return _STANDING_WORDS.search(" ".join(tokens(" ".join(message.split())))) is not None


def restates(text: str, message: str) -> bool:
    """Tell whether `text` only says again what `message` asks for now.

    So it is if half of its distinctive words and at least three are in the message, and the message has no
    standing marker. Seed 002, "What the model is told to save".
    """
    said = set(words(text))
    shared = len(said & set(words(message)))
    return shared >= _MANY and shared * _MOSTLY >= len(said) and not has_standing_marker(message)


def matches_message(fact: str, message: str) -> bool:
    """Tell whether `fact` is what `message` asks to remember, so that the message authorizes it.

    The fact is whole clauses of what is asked for, in the same words and order, with the same numbers and the
    same negations and conditions. Only reporting words may come and go, and the speaker may be named
    otherwise. Seed 002, "Memory consent and notices": ambiguous paraphrases still ask.
    """
    wanted = tokens(fact)
    core = _core(wanted, frozenset())
    if HIDDEN in fact or len(wanted) > _LONGEST or not set(core) - _TURNS:
        return False
    return any(_says(asked, wanted, core) for asked in find_asked(message) if len(asked) <= _LONGEST)


def _says(asked: Sequence[str], wanted: Sequence[str], core: list[str]) -> bool:
    """Tell whether what is asked for says what is wanted: whole clauses of it, with all that limits them."""
    asked = _OBLIGES.sub("", " ".join(asked)).split(" ")
    unsaid = _DROPPED - set(wanted)
    if _turns(_core(asked, unsaid)) != _turns(core) or not _same_people(asked, wanted):
        return False
    clauses = [list(clause) for joins, clause in groupby(asked, _JOINS.__contains__) if not joins]
    starts = (start for start in range(len(clauses)) if start == 0 or _has_subject(clauses[start]))
    return any(_is_whole(clauses[start:], wanted, core, unsaid) for start in starts)


def _is_whole(
    clauses: Sequence[Sequence[str]], wanted: Sequence[str], core: list[str], unsaid: frozenset[str]
) -> bool:
    """Tell whether the core of a fact is that of the first clauses, the whole of each."""
    said: list[str] = []
    for count, clause in enumerate(clauses, 1):
        said += _core(clause, unsaid)
        if said != core[: len(said)]:
            return False
        if said == core:
            reports = {kind for one in clauses[:count] for kind in _reports(one)}
            return not reports or reports == _reports(wanted)
    return False


def _has_subject(clause: Sequence[str]) -> bool:
    """Tell whether a clause that is not the first says itself that it is about the speaker."""
    return any(_WHO.get(token) in ("self", "we") or token in _VERBS or token in _FIRST for token in clause)


def _turns(core: Sequence[str]) -> list[str]:
    return [word for word in core if word in _TURNS]


def _core(found: Sequence[str], unsaid: frozenset[str]) -> list[str]:
    """Return what must be the same in both: words that distinguish, numbers, marks, and words that turn."""
    return [word for token in found if token not in unsaid and (word := _core_word(token))]


def _core_word(token: str) -> str:
    token = _VERBS.get(token, token)
    if token in _TURNING or token.endswith("n't"):
        return _TURNING.get(token, "not")
    token = token.removesuffix("'s")
    common = token in _REPORTS or token in _WHO or token in _JOINS or token in STOP_WORDS
    return "" if common else _singular(token)


def _singular(word: str) -> str:
    """Take the English endings of plurals and of verbs off: runs, pushes, replies."""
    if len(word) <= len("bus") or not word.isalpha() or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("shes", "ches", "xes", "sses", "zes")) else word.removesuffix("s")


def _reports(found: Sequence[str]) -> set[str]:
    """Return the kinds of reporting words, but for "says", which changes nothing."""
    return {_REPORTS[token] for token in found if token in _REPORTS} - {"say"}


def _same_people(asked: Sequence[str], wanted: Sequence[str]) -> bool:
    """Tell whether a fact is about the one of whom the message speaks."""
    spoken, told = _people(asked), _people(wanted)
    speaker = bool(told & {"self", "speaker"})
    told -= {"self", "speaker"}
    spoken -= {"self", "speaker"}
    if _THIRD_PERSON in spoken and (speaker or _THIRD_PERSON not in told):
        return False
    return told - {_THIRD_PERSON} <= spoken and spoken - {"we"} <= told


def _people(found: Sequence[str]) -> set[str]:
    return {who for token in found if (who := _WHO.get(token.removesuffix("'s")))}
