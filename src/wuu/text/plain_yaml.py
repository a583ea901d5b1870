"""A YAML loader that only knows strings, lists and mappings of strings, no aliases and no deep nesting.

Apart because PyYAML costs three times the start of Python: only `scalars` imports this, and only when needed.
"""

import yaml

from wuu.text.scalars import MAX_NESTING

YAML_ERRORS = (yaml.YAMLError, ValueError, OverflowError, RecursionError)


class PlainLoader(yaml.BaseLoader):
    """PyYAML's string loader without aliases, so that no few bytes can grow into many (case O-12)."""

    _depth = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Compose one node.

        Raises:
            yaml.YAMLError: An alias stands in the value, or it nests deeper than `MAX_NESTING`.
        """
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("aliases are not read")
        if self._depth > MAX_NESTING:
            raise yaml.YAMLError(f"nested deeper than {MAX_NESTING}")
        self._depth += 1
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node
