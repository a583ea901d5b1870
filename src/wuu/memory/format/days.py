"""Days as search finds them: the day of a memory as it is indexed, and the days that a query names.

Pure rules over text. `May` alone is a word that says nothing, so a month and a day also have one word each
that stands for nothing else: `202305` and `20230508`, which `words()` makes of `2023-05` and `2023-05-08`.
"""

import re

_ENGLISH = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_SPANISH = (
    *("enero", "febrero", "marzo", "abril", "mayo", "junio", "julio"),
    *("agosto", "septiembre", "octubre", "noviembre", "diciembre"),
)
_SHORT = {name[:3].lower(): number for number, name in enumerate(_ENGLISH, 1)}
_MONTHS = (
    _SHORT
    | {"sept": 9}
    | {name.lower(): number for number, name in enumerate(_ENGLISH, 1)}
    | {name: number for number, name in enumerate(_SPANISH, 1)}
)
# "8 May 2023", "8th of May, 2023", "8 de mayo de 2023", "May 8, 2023", "May 8th 2023", "May 2023"
_NAMED = (
    r"\b(?:(\d{1,2})(?:st|nd|rd|th)?\.? (?:of |de )?)?([a-z]{3,10})\.?(?: (\d{1,2})(?:st|nd|rd|th)?)?"
    r",? (?:of |de )?(\d{4})\b"
)


def day_text(created_at: str) -> str:
    """Return the day of an RFC 3339 time as it is indexed: `May 2023-05-08 2023-05`.

    The number of the day does not stand alone: `Python 3` is no question about the third of a month.
    """
    day = created_at[:10]
    return f"{_ENGLISH[int(day[5:7]) - 1]} {day} {day[:7]}"


def days_named(query: str) -> str:
    """Return the words for the months and days that `query` names, in English or Spanish, with their year."""
    if not any(map(str.isdigit, query)):
        return ""
    found: list[str] = []
    for before, name, behind, year in re.findall(_NAMED, " ".join(query.lower().split()), re.ASCII):
        month = _MONTHS.get(name)
        if month is None:
            continue
        found.append(f"{year}{month:02}")
        if before or behind:
            found.append(f"{year}{month:02}{int(before or behind):02}")
    return " ".join(found)
