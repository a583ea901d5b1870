"""A YAML loader that only knows strings, lists and mappings of strings, and no aliases.

Apart because PyYAML costs three times the start of Python: only `scalars` imports this, and only when needed.
"""

import yaml

YAML_ERRORS = (yaml.YAMLError, ValueError, OverflowError, RecursionError)


class PlainLoader(yaml.BaseLoader):
    """PyYAML's string loader without aliases, so that no few bytes can grow into many (case O-12)."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Compose one node.

        Raises:
            yaml.YAMLError: An alias stands in the value.
        """
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("aliases are not read")
        return super().compose_node(parent, index)
