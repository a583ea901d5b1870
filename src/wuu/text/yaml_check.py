"""Whether a strict YAML reader takes a frontmatter block, and what it stumbles over.

Owns a verdict and no values: wuu reads frontmatter with `document` and `scalars`. Most blocks never reach
PyYAML; those that do are bounded in length, aliases and nesting, so that no few bytes cost much time or
memory (case O-12). The reasons never repeat a value of the block.
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from wuu.text.scalars import MAX_NESTING

MAX_CHARACTERS = 32_768
"""How long a block may be that is read as YAML; only one that is not surely harmless is."""

_NOT_ASCII = "\\u00a0-\\u2027\\u202a-\\ud7ff\\ue000-\\ufefe\\uff00-\\ufffd\U00010000-\U0010ffff"
_INSIDE = rf"(?:[ !\"$-9;-~{_NOT_ASCII}]|:(?=[^ \r\n])|(?<=[^ ])#)*+"
_LETTER = "A-Za-z\\u00c0-\\u1fff\\u3040-\\ud7ff"
_MONTHS = r"(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31"
_VALUES = (
    rf"[{_LETTER}]{_INSIDE}",  # no number, date or merge begins with a letter
    rf"(?=[^\r\n]*[g-np-su-wyG-NP-SU-WY])[0-9]{_INSIDE}",  # letters that stand in no number and in no date
    rf"(?!0000)[0-9]{{4}}-(?:{_MONTHS})",
    r"[0-9]{1,9}",
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    rf"\"(?:[ !#-\[\]-~{_NOT_ASCII}]|\\[\\\"nt])*+\"",
    rf"'(?:[ -&(-~{_NOT_ASCII}]|'')*+'",
)
_KEY = r"[A-Za-z_][A-Za-z0-9_-]{0,63}:"
_VALUE = rf"(?: ++(?:{'|'.join(_VALUES)})(?= *+\r?\n))?+ *+\r?\n"
_HARMLESS = re.compile(rf"(?:{_KEY} *+\r?\n(?:  {_KEY}{_VALUE})++|{_KEY}{_VALUE})*+")

_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_KINDS = {"int": "a number", "float": "a number", "timestamp": "a date or time", "bool": "yes or no"}
_RESOLVED_IN_KEYS = ("merge", "value")  # `<<` and `=`, which are no values of their own
_PLAINER = {
    "mapping values are not allowed": "a value without quotes holds a colon and a blank",
    "cannot start any token": "a tab, or a character that YAML reserves, stands where a value begins",
    "Unicode character escape": "an escape names a character that does not exist",
    "nesting depth": f"it nests deeper than {MAX_NESTING} levels",
    "unhashable": "a list or a mapping stands where a key belongs",
    "could not determine a constructor": "its tag is not known",
}
_SHOWN_KEY = 64


class YamlProblem(NamedTuple):
    """Why strict readers fail on a block, or wuu does not let them try; `line` counts from 1 in the block."""

    line: int
    reason: str


def find_yaml_problem(block: str) -> YamlProblem | None:
    """Return the first thing in `block`, the lines between the fences, that is no YAML or is refused."""
    if is_surely_yaml(block):
        return None
    if len(block) > MAX_CHARACTERS:
        return YamlProblem(1, f"it is longer than the {MAX_CHARACTERS:,} characters that are read as YAML")
    return _find_in_yaml(block)


def is_surely_yaml(block: str) -> bool:
    """Tell, without YAML and missing nothing, whether `block` is empty or a mapping of harmless values."""
    return _HARMLESS.fullmatch(block) is not None


def _find_in_yaml(block: str) -> YamlProblem | None:
    import yaml  # noqa: PLC0415  (3 x bare Python, and few blocks need it)

    loader: Any = yaml.SafeLoader
    if "\t" not in block:  # libyaml, which is faster, lets tabs pass that other readers refuse
        loader = getattr(yaml, "CSafeLoader", loader)
    try:
        return _find_refused(yaml.parse(block, Loader=loader), yaml) or _find_unreadable(loader(block), yaml)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        return YamlProblem(1 if mark is None else mark.line + 1, _said(error.problem or error.context))
    except yaml.reader.ReaderError as error:
        return YamlProblem(block.count("\n", 0, error.position) + 1, "it holds a character that YAML forbids")
    except OverflowError:
        return YamlProblem(1, _PLAINER["Unicode character escape"])
    except (yaml.YAMLError, RecursionError, *_VALUE_ERRORS):
        return YamlProblem(1, "readers fail on it")


_VALUE_ERRORS = (ValueError, OverflowError, LookupError, AttributeError, TypeError)
"""What PyYAML lets through when a value is none of its tag (case O-12)."""


def _find_refused(events: Iterator[Any], yaml: Any) -> YamlProblem | None:
    """Return what could make few bytes cost much: an alias, or deep nesting."""
    depth = 0
    for event in events:
        if isinstance(event, yaml.AliasEvent):
            return YamlProblem(event.start_mark.line + 1, "it uses an alias (*name), and those are refused")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_NESTING:
            return YamlProblem(event.start_mark.line + 1, f"it nests deeper than {MAX_NESTING} levels")
    return None


def _find_unreadable(loader: Any, yaml: Any) -> YamlProblem | None:
    """Return the first value that is none of its kind, such as a date that does not exist."""
    try:
        root = loader.get_single_node()
        if root is None:
            return None
        if not isinstance(root, yaml.MappingNode):
            return YamlProblem(1, "it has no keys")
        for key, node in _scalars(root, yaml):
            try:
                loader.construct_object(node)
            except (yaml.YAMLError, *_VALUE_ERRORS) as error:
                reason = f"the value of {_shown(key)} {_misfit(node, error)}"
                return YamlProblem(node.start_mark.line + 1, reason)
        loader.construct_document(root)
        return None
    finally:
        loader.dispose()


def _scalars(root: Any, yaml: Any) -> Iterator[tuple[str, Any]]:
    """Yield every scalar below `root` in the order of the text, with the key that it stands under."""
    waiting = [("", root)]
    while waiting:
        key, node = waiting.pop()
        if isinstance(node, yaml.ScalarNode):
            yield key, node
        elif isinstance(node, yaml.SequenceNode):
            waiting += [(key, one) for one in reversed(node.value)]
        else:
            for name, value in reversed(node.value):
                own = name.value if isinstance(name, yaml.ScalarNode) else key
                waiting.append((own, value))
                if _tag(name) not in _RESOLVED_IN_KEYS:
                    waiting.append((own, name))


def _tag(node: Any) -> str:
    return str(node.tag).rpartition(":")[2]


def _shown(key: str) -> str:
    return key if key.isprintable() and 0 < len(key) <= _SHOWN_KEY else "a key"


def _misfit(node: Any, error: Exception) -> str:
    kind = _KINDS.get(_tag(node))
    if kind is None:
        return f"cannot be read: {_said(getattr(error, 'problem', None))}"
    if "digit" in str(error):
        return f"looks like a number, and its {len(node.value):,} digits are more than readers take"
    return f"looks like {kind} and is none"


def _said(problem: str | None) -> str:
    """Return what YAML said, plainer where that helps, in one line and without what it quotes."""
    said = " ".join((problem or "readers fail on it").split())
    plainer = next((text for words, text in _PLAINER.items() if words in said), None)
    return plainer or _QUOTED.sub("…", said)[:200]
