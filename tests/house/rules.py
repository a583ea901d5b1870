"""The house rules about what a module holds: writing, printing, catching, sizes, names (ARCHITECTURE 1, 8).

An objection reads `path:line: text`. Nothing here reads a file or knows which exceptions are granted.
"""

import ast
import statistics
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from house.modules import Import, Module, called_name, last_name, stands_in

LONGEST_FILE = 300  # lines
MEDIAN_FUNCTION = 10  # lines; the median stays below
LONG_FUNCTION = 30  # lines; nine in ten stay below
FORBIDDEN_NAMES = ("util", "utils", "helper", "helpers", "manager", "managers")

# Where something may stand: files, or folders with their trailing slash.
HOMES_OF_OUTPUT = ("cli/output.py", "agents/hooks/")
HOMES_OF_WRITING = ("store/files.py", "store/state.py")
HOMES_OF_BROAD_EXCEPT = ("cli/root.py",)

_OS_WRITES = frozenset(
    (
        *("write", "pwrite", "writev", "pwritev", "sendfile", "copy_file_range", "fsync", "fdatasync"),
        *("rename", "renames", "replace", "unlink", "remove", "removedirs", "mkdir", "makedirs", "rmdir"),
        *("chmod", "fchmod", "lchmod", "chown", "fchown", "lchown", "link", "symlink", "utime"),
        *("truncate", "ftruncate", "mkfifo", "mknod", "setxattr", "removexattr"),
    )
)
_WRITING_FLAGS = frozenset(("O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC", "O_APPEND", "O_EXCL", "O_TMPFILE"))
_PATH_WRITES = frozenset(("write_text", "write_bytes", "touch", "symlink_to", "hardlink_to"))
_PATHLIB_WRITES = frozenset(("mkdir", "unlink", "rmdir", "rename", "chmod", "lchmod"))
_READING_SHUTIL = frozenset(("which", "get_terminal_size", "disk_usage"))
_BROAD = frozenset(("Exception", "BaseException"))


# --- what a module may do -------------------------------------------------------------------------------


def only_the_store_writes(module: Module) -> Iterator[str]:
    """Object to a call or an import that can change the disk."""
    if stands_in(module.path, HOMES_OF_WRITING):
        return
    for one in module.imports():
        if _imports_writing(one):
            yield module.at(one.line, f"{one.module} {one.name or ''}".rstrip() + " can change the disk")
    constants = _constants(module.tree)
    with_pathlib = any(one.module == "pathlib" for one in module.imports())
    for call in _calls(module.tree):
        reason = _writing_call(call, constants, with_pathlib=with_pathlib)
        if reason:
            yield module.at(call.lineno, f"{reason} can change the disk")


def only_output_prints(module: Module) -> Iterator[str]:
    """Object to `print`, `click.echo` and stdout where results are not rendered."""
    if stands_in(module.path, HOMES_OF_OUTPUT):
        return
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call) and _dotted(node.func) in ("print", "click.echo", "click.secho"):
            yield module.at(node.lineno, f"{_dotted(node.func)} belongs to {HOMES_OF_OUTPUT[0]}")
        elif isinstance(node, ast.Attribute) and _dotted(node) in ("sys.stdout", "sys.__stdout__"):
            yield module.at(node.lineno, f"{_dotted(node)} belongs to {HOMES_OF_OUTPUT[0]}")


def no_broad_except(module: Module) -> Iterator[str]:
    """Object to catching everything."""
    if stands_in(module.path, HOMES_OF_BROAD_EXCEPT):
        return
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ExceptHandler) and _catches_everything(node):
            yield module.at(node.lineno, "catches everything")
        elif isinstance(node, ast.Call) and called_name(node) == "suppress" and _suppresses_everything(node):
            yield module.at(node.lineno, "suppresses everything")


def _imports_writing(one: Import) -> bool:
    if one.module == "tempfile":
        return True
    if one.module == "shutil":
        return one.name is not None and one.name not in _READING_SHUTIL
    return one.module == "os" and one.name in _OS_WRITES


def _writing_call(call: ast.Call, constants: Mapping[str, ast.expr], *, with_pathlib: bool) -> str | None:
    name, method = _dotted(call.func), called_name(call)
    if name in ("open", "io.open", "os.fdopen", "codecs.open"):
        return f"{name} with this mode" if _may_write(_argument(call, 1, "mode")) else None
    if name == "os.open":
        return "os.open with these flags" if _opens_to_write(call, constants) else None
    if name.startswith("os.") and method in _OS_WRITES:
        return name
    if name.startswith("shutil.") and method not in _READING_SHUTIL:
        return name
    is_method = isinstance(call.func, ast.Attribute)
    if is_method and (method in _PATH_WRITES or (with_pathlib and _writes_through_a_path(call))):
        return f".{method}()"
    return None


def _writes_through_a_path(call: ast.Call) -> bool:
    method = called_name(call)
    if method == "open":
        return _may_write(_argument(call, 0, "mode"))
    return method in _PATHLIB_WRITES or (method == "replace" and len(call.args) == 1)


def _may_write(mode: ast.expr | None) -> bool:
    """Say whether an `open` mode can write; one that is worked out at run time can."""
    if mode is None:
        return False
    return not (isinstance(mode, ast.Constant) and isinstance(mode.value, str)) or bool(
        set(mode.value) & set("wax+")
    )


def _opens_to_write(call: ast.Call, constants: Mapping[str, ast.expr]) -> bool:
    into_nothing = bool(call.args) and _dotted(call.args[0]) == "os.devnull"
    return not into_nothing and _flags_may_write(_argument(call, 1, "flags"), constants)


def _flags_may_write(flags: ast.expr | None, constants: Mapping[str, ast.expr]) -> bool:
    """Say whether `os.open` flags can write; flags that do not name any `O_…` can."""
    named = _names_in(flags, constants) if flags else set()
    return not named or bool(named & _WRITING_FLAGS)


def _names_in(flags: ast.expr, constants: Mapping[str, ast.expr]) -> set[str]:
    """Return the `O_…` names in an expression, in the constants it uses, and in `getattr(os, "O_…", 0)`."""
    names: set[str] = set()
    for node in ast.walk(flags):
        name = node.value if isinstance(node, ast.Constant) else last_name(node)
        if isinstance(name, str) and name.startswith("O_"):
            names.add(name)
        elif isinstance(node, ast.Name) and node.id in constants:
            names |= _names_in(constants[node.id], {})
    return names


def _constants(tree: ast.Module) -> dict[str, ast.expr]:
    return {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def _catches_everything(handler: ast.ExceptHandler) -> bool:
    """Say whether the handler swallows everything; one that ends in a bare `raise` only tidies up."""
    last = handler.body[-1]
    passes_on = isinstance(last, ast.Raise) and last.exc is None
    return not passes_on and (handler.type is None or _names_broad(handler.type))


def _suppresses_everything(call: ast.Call) -> bool:
    return any(_names_broad(argument) for argument in call.args)


def _names_broad(caught: ast.expr) -> bool:
    return any(last_name(node) in _BROAD for node in ast.walk(caught))


# --- sizes, names and docstrings ------------------------------------------------------------------------


def files_are_short(module: Module) -> Iterator[str]:
    """Object to a file of LONGEST_FILE lines or more."""
    lines = module.source.count("\n")
    if lines >= LONGEST_FILE:
        yield module.at(lines, f"{lines} lines; below {LONGEST_FILE} is the rule")


def modules_say_what_they_own(module: Module) -> Iterator[str]:
    """Object to a module without a docstring."""
    if not (ast.get_docstring(module.tree) or "").strip():
        yield module.at(1, "has no docstring")


def names_say_something(module: Module) -> Iterator[str]:
    """Object to a module or a package that is called after nothing."""
    for part in module.dotted.split("."):
        if set(part.split("_")) & set(FORBIDDEN_NAMES):
            yield module.at(1, f"the name {part} says nothing")


class Function(NamedTuple):
    """A function and how long it is: lines from `def` to its end, without decorators and docstring."""

    where: str
    lines: int


def functions(modules: Iterable[Module]) -> tuple[Function, ...]:
    """Return every function and method, nested ones too, longest first."""
    found = (
        Function(module.at(node.lineno, node.name), _length(node))
        for module in modules
        for node in ast.walk(module.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    return tuple(sorted(found, key=lambda function: -function.lines))


def functions_are_small(modules: Iterable[Module]) -> Iterator[str]:
    """Object when the median or the long tail of all functions grows past the plan."""
    found = functions(modules)
    if not found:
        return
    median = statistics.median(function.lines for function in found)
    if median >= MEDIAN_FUNCTION:
        yield f"the median function has {median:g} lines; below {MEDIAN_FUNCTION} is the rule"
    long = [function.where for function in found if function.lines >= LONG_FUNCTION]
    if len(long) > len(found) / 10:
        yield f"{len(long)} of {len(found)} functions have {LONG_FUNCTION} lines or more: {', '.join(long)}"


def _length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    end = node.end_lineno or node.lineno
    documented = ast.get_docstring(node, clean=False) is not None
    docstring = (node.body[0].end_lineno or 0) - node.body[0].lineno + 1 if documented else 0
    return end - node.lineno + 1 - docstring


# --- reading a tree -------------------------------------------------------------------------------------


def _calls(tree: ast.AST) -> Iterator[ast.Call]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def _argument(call: ast.Call, position: int, keyword: str) -> ast.expr | None:
    if len(call.args) > position:
        return call.args[position]
    return next((one.value for one in call.keywords if one.arg == keyword), None)


def _dotted(node: ast.expr) -> str:
    """Return `os.path.join` for that expression, with a leading `?.` where it starts from a value."""
    if isinstance(node, ast.Name):
        return node.id
    return f"{_dotted(node.value)}.{node.attr}" if isinstance(node, ast.Attribute) else "?"
