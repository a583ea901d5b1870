"""Where a person asks, in what they typed, that something be remembered, and what that something is.

Seed 002, "Memory consent and notices": an explicit current request. Reads text only; whose message it is, and
whether it was typed at all, is not known here. Where these rules are unsure they find nothing: then a person
is asked. Every rule looks at one sentence of bounded length, so time is linear in the message.
"""

import re
import unicodedata
from typing import NamedTuple

HIDDEN = "\ufffc"
"""What stands for words that the person quoted, so that a text without them is not taken for the whole."""

_LONGEST_SENTENCE = 600  # characters, when its words are joined
_MOST_LINES = 12  # of a message that is read to its end; a longer one is mostly pasted
_APOSTROPHES = str.maketrans({"’": "'", "ʼ": "'", "‘": "'", "`": "`", "“": '"', "”": '"', "„": '"'})

_WHAT = re.compile(r"\bqu(?:\u00e9|e\u0301)\b", re.IGNORECASE)  # without its accent it would say "that"
_FENCE = re.compile(r"[ \t]*(?:```|~~~)")
_MARKUP = re.compile(r"<[A-Za-z/!][^<>]*>")
_QUOTED = re.compile(r"(?<!\d)\"[^\"]*(?:\"|\Z)|«[^»]*(?:»|\Z)|(?<!\w)'[^'\n]{1,300}'(?!\w)|`[^`]*(?:`|\Z)")
_TOKEN = re.compile(
    r"(?:(?<![\w.-])(?:--?|\.)(?=\w))?\w+(?:(?:[-./@'&]|(?<=\d)[,:](?=\d)|://)\w+)*(?:\+\+|[#%])?"
    r"|\n|[.!…](?!\w)|[^\w\s]"
)
_BREAKS = {"\n": ".", "!": ".", "…": ".", ";": ",", "(": ",", ")": ",", "—": ",", "–": ",", "-": ","}
_IGNORED = frozenset("¿¡\"'*[]{}`~|_")

_START = r"(?:^|(?<=, )|(?<=\band )|(?<=\bbut )|(?<=\by )|(?<=\bpero ))"
_COURTESY = (
    "please|also|now|just|so|ok|okay|hey|hi|oh|yes|then|well|always|fine|thanks|btw|claude|actually"
    "|por favor|ahora|tambien|vale|oye|hola|bueno|entonces|pues|ademas|siempre|si"
)
_HEADING = re.compile(
    r"(?:for later|one more thing|by the way|btw|nb|ps|important|por cierto|importante|una cosa mas|ojo) : "
)
_OPENER = (
    r"(?:(?:can|could|would|will) you (?:please )?(?:also )?"
    r"|(?:i (?:want|need|ask|would like)|i'd like) you to "
    r"|you (?:should|must|have to|need to) (?:also |always )?|(?:make|be) sure (?:to|you|that you) "
    r"|(?:me )?(?:puedes|podrias|puede|podria|debes|deberias|tienes que|quiero que|necesito que|te pido que"
    r"|me gustaria que) "
    r"(?:por favor )?)"
)
_MEMORY = (
    r"(?:(?:to|into) (?:the )?memor(?:y|ies)"
    r"|(?:to|in|into|as) (?:a|your|my|wuu|project|user|agent|long-term)(?: long-term)? memor(?:y|ies)"
    r"|en (?:la |tu |mi )?memoria)"
)
_DEMONSTRATIVE = r"(?:this|that|it|these|the following|esto|eso|lo siguiente|este dato)"
_ENDS = r"(?= [,:]| (?:please|por favor|for me|for later|from now on|de ahora)|$)"

# What asks for anything that follows; what needs "that" or "this" behind it; what is whole by itself.
_FREE = (
    r"remember|memori[sz]e|keep in mind|bear in mind|(?:don't|dont|do not|never) forget"
    r"|recuerd(?:a|e|en|es)|recorda|recordar|recordaras|acuerdate(?: de)?|memoriza|memorizar|memorices"
    r"|ten(?:ga|gas)? (?:en cuenta|presente)|(?:no|nunca) (?:te )?olvides(?: de)?|que no se te olvide"
)
_BOUND = (
    r"note|take note|make a note|jot down|write down|save to memory"
    r"|(?:save|store|add) (?:a|to|to your) memory|guarda en (?:la |tu )?memoria"
    r"|toma nota|tomar nota|tomes nota|anota|anotar|anotes|apunta|apuntar|apuntes|guarda|guardar|guardes"
)
_SAVING = (
    rf"(?:save|store|add|put|record|write|keep|commit) {_DEMONSTRATIVE}(?: \w+)? {_MEMORY}"
    rf"|(?:write|jot) {_DEMONSTRATIVE} down|(?:guarda|guardar|guardes) {_DEMONSTRATIVE} {_MEMORY}"
    rf"|(?:anade|agrega|anadir|agregar) {_DEMONSTRATIVE} a (?:la |tu |mi )memoria"
)
_WHOLE = (
    rf"(?:recuerda|recorda|recordar|anota|apunta|memoriza|guarda|guardar)lo(?: {_MEMORY})?"
    r"|tenlo (?:en cuenta|presente)|(?:no|nunca) (?:te )?lo olvides"
)
_ASK = re.compile(
    rf"{_START}(?:(?:{_COURTESY}) (?:, )?)*(?P<opener>{_OPENER})?"
    rf"(?:(?P<whole>(?:{_SAVING}|{_WHOLE})(?!\S))"
    rf"|(?:(?P<free>{_FREE})|(?P<bound>{_BOUND}))(?!\S)"
    rf"(?:(?P<ref> {_DEMONSTRATIVE}){_ENDS}|(?P<that> (?:that|que|de que|of|:))(?!\S))?)"
)
_TAIL = re.compile(
    r"(?:^| )(?:(?:remember|save|note|recuerda|guarda|anota|apunta) (?:this|that|it|eso|esto)"
    r"|recuerdalo|anotalo)"
    r"(?: please| por favor)?$"
)
_STATES = re.compile(
    r"(?:^| )(?:am|is|are|i'm|we're|use|prefer|live|work|like|have|hate"
    r"|soy|es|estoy|llamo|llama|uso|usa|prefiero|vivo|trabajo|tengo|gusta)(?: |$)"
)
_HINDERS = re.compile(
    r"(?:to|i|you|we|they|he|she|who|that|don't|dont|not|no|never|can't|cannot|will|would|could|should|must"
    r"|always|still|also|yo|tu|ella|ellos|quien|siempre|nunca|nadie|me|te|se|le|aun|todavia|tambien)"
)
_MISLEADING = re.compile(
    r"^(?:if|when|whenever|unless|si|cuando) "
    r"|\b(?:sa(?:y|ys|id|ying)|tells?|told|prints?|writes?|wrote|translate|echo"
    r"|di|dijo|dice|diga|dicen|escribe|traduce|imprime)\b"
)
# "Remember when …", "remember the time …" talk about the past; "remember to …" is about what is being done.
_PAST = re.compile(
    r"(?:when|where|how|what|who|why|which|whether|if|me|the time|last|yesterday|anything|nothing"
    r"|cuando|como|donde|quien|cual|cuanto|si|a|la vez|ayer|nada)(?!\S)"
)
_TASK = re.compile(r"(?:not )?to |(?:de )?(?:no )?[a-z]{2,}(?:ar|er|ir)(?:lo|la|los|las)?(?!\S)")
_LASTING = re.compile(r"\b(?:always|never|every|each|whenever|from now on|siempre|nunca|cada|adelante)\b")
_POLITE = re.compile(rf"^(?:[,:] |(?:{_COURTESY}) )+|(?: [,:]| (?:{_COURTESY}|gracias|for me|for later))+$")
_NOTHING = re.compile(
    rf"(?:[,: ]|\b(?:{_COURTESY}|gracias|for me|for later|from now on|de ahora en adelante)\b)*"
)


class _Sentence(NamedTuple):
    """The words of a sentence, joined by single spaces, and whether it is a question."""

    text: str
    asks: bool


def asks_to_remember(message: str) -> bool:
    """Tell whether `message` holds an explicit request to save something, in English or Spanish.

    A question about what is remembered is none, nor is what is quoted: in marks, code or lines with `>`.
    """
    return bool(_requests(message))


def find_asked(message: str) -> tuple[tuple[str, ...], ...]:
    """Return the tokens of everything that `message` asks to remember, one tuple for each request."""
    return tuple(tuple(asked.split(" ")) for asked in _requests(message) if asked)


def tokens(text: str) -> list[str]:
    """Return words and marks of `text` without case and accents; `.`, `?`, `,` and `:` are breaks."""
    plain = unicodedata.normalize("NFKD", text.translate(_APOSTROPHES)).casefold()
    folded = "".join(c for c in plain if not unicodedata.combining(c)).translate(_APOSTROPHES)
    return [_BREAKS.get(found, found) for found in _TOKEN.findall(folded) if found not in _IGNORED]


def _requests(message: str) -> list[str]:
    sentences = _sentences(_spoken(message))
    found: list[str] = []
    for index, sentence in enumerate(sentences):
        before = sentences[index - 1].text if index else ""
        after = sentences[index + 1].text if index + 1 < len(sentences) else ""
        found += _asked_in(sentence, before, after)
    return found


def _spoken(message: str) -> str:
    """Return what the person says themselves: nothing quoted, no code, no markup, no long pasted text."""
    kept, fenced = [], False
    for line in message.translate(_APOSTROPHES).splitlines():
        if _FENCE.match(line):
            fenced = not fenced and not line.rstrip().endswith("```", 4)  # not closed in the same line
            kept.append(HIDDEN)
        elif not fenced and line.strip():
            kept.append(HIDDEN if line.lstrip()[0] == ">" else line.strip())
    spoken = _QUOTED.sub(f" {HIDDEN} ", _without_markup("\n".join(_before_paste(kept))))
    return _WHAT.sub("cual", spoken)


def _before_paste(lines: list[str]) -> list[str]:
    """Return the lines before pasted text, which follows a line with a colon at its end, or is long."""
    if len(lines) > _MOST_LINES:
        return lines[:1]
    for number, line in enumerate(lines[:-1], 1):
        if line.endswith(":") and lines[number] != HIDDEN and not _ASK.search(" ".join(tokens(line[:600]))):
            return lines[:number]
    return lines


def _without_markup(text: str) -> str:
    """Hide everything between the first tag and the last: nobody types what a program wrapped in tags."""
    tags = list(_MARKUP.finditer(text))
    return text if not tags else f"{text[: tags[0].start()]} {HIDDEN} {text[tags[-1].end() :]}"


def _sentences(text: str) -> list[_Sentence]:
    found, words = [], list[str]()
    for word in [*tokens(text), "."]:
        if word not in (".", "?"):
            words.append(word)
        elif words:
            found.append(_Sentence(" ".join(words), word == "?"))
            words = []
    return found


def _asked_in(sentence: _Sentence, before: str, after: str) -> list[str]:
    text = _HEADING.sub("", sentence.text, count=1)
    if len(text) > _LONGEST_SENTENCE:
        return []
    found = []
    matches = [match for match in _ASK.finditer(text) if _is_request(match, text, sentence.asks)]
    ends = [*(match.start() for match in matches), len(text)][1:] if matches else []
    for match, end in zip(matches, ends, strict=True):
        found.append(_object(text[: match.start()], text[match.end() : end], before, after))
    if (
        not found
        and not sentence.asks
        and (tail := _TAIL.search(text))
        and _is_statement(text[: tail.start()])
    ):
        found.append(_bare(text[: tail.start()]))
    return found


def _is_request(match: re.Match[str], text: str, question: bool) -> bool:
    rest = text[match.end() :].lstrip(" ,:")
    pointing = bool(match["whole"] or match["ref"] or match["that"])
    if _MISLEADING.search(text[: match.start()]) or (question and not (match["opener"] and pointing)):
        return False
    if match["bound"]:
        return pointing and not (match["bound"] == "note" and match["that"] == " :")
    if pointing:
        return True
    if _PAST.match(rest) or (_TASK.match(rest) and not _LASTING.search(text)):
        return False
    return bool(rest)


def _object(head: str, rest: str, before: str, after: str) -> str:
    """Return what is asked for: what follows, else what comes first, else the sentence before or after."""
    for candidate in (rest, head, before, after):
        if not _NOTHING.fullmatch(candidate.strip()):
            return _bare(candidate)
    return ""


def _is_statement(head: str) -> bool:
    """Tell whether words without a break before "remember that" say something themselves."""
    last = head.rsplit(" ", 1)[-1]
    return not _HINDERS.fullmatch(last) and bool(_STATES.search(head)) and not _MISLEADING.search(head)


def _bare(text: str) -> str:
    bare = re.sub(r"^(?:and|but|y|pero) | (?:and|but|y|pero)$", "", text.strip())
    return _POLITE.sub("", _POLITE.sub("", bare)).strip(" ,:")
