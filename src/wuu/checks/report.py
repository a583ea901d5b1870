"""What a check reports, as a value: problems, counts, the JSON of CONTRACT and the failure that goes with it.

It finds nothing and prints nothing.
"""

from typing import Any, NamedTuple

from wuu.errors import Findings
from wuu.problems import ERROR, Problem


class Report(NamedTuple):
    """The problems that count, how many files were looked at, and the absolute folder that they are in."""

    problems: tuple[Problem, ...]
    checked: int
    folder: str

    @property
    def errors(self) -> int:
        """How many problems are errors."""
        return sum(one.severity == ERROR for one in self.problems)

    @property
    def warnings(self) -> int:
        """How many problems are warnings."""
        return len(self.problems) - self.errors

    def value(self) -> dict[str, Any]:
        """Return this as JSON (CONTRACT, "JSON values")."""
        return {
            "problems": [one._asdict() for one in self.problems],
            "errors": self.errors,
            "warnings": self.warnings,
            "checked": self.checked,
            "folder": self.folder,
        }

    def summary(self) -> str:
        """Return one line for people, such as `3 errors, 1 warning in 14 files.`."""
        counts = [(self.errors, "error"), (self.warnings, "warning")]
        found = ", ".join(_counted(number, noun) for number, noun in counts if number)
        return f"{found or 'No problems'} in {_counted(self.checked, 'file')}."

    def failure(self) -> Findings | None:
        """Return the failure that errors are, or None where there are none (ARCHITECTURE 5)."""
        if not self.errors:
            return None
        return Findings(self.summary(), errors=self.errors, warnings=self.warnings)


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
