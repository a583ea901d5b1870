"""Tables for a terminal. The only module that imports Rich."""

from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from wuu.text.safety import visible

_NARROW = 12  # cells; a type, a count or a date is never broken
_ID = 16  # nor is an id, which stands first


def render_table(columns: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """Return the rows aligned to the terminal's width; stored text is never read as markup (case O-36)."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for at, column in enumerate(columns):
        widest = max(cell_len(row[at]) for row in rows)
        table.add_column(Text(column), no_wrap=widest <= (_NARROW if at else _ID), overflow="fold")
    for row in rows:
        table.add_row(*(Text(visible(cell, tabs=False)) for cell in row))
    console = Console(markup=False, emoji=False, highlight=False)
    with console.capture() as capture:
        console.print(table)
    return capture.get()
