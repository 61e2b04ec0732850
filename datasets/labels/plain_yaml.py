"""YAML of unknown origin, without what can be made to harm.

A safe loader makes no objects, but lists of aliases to lists of aliases grow without
end as soon as a message shows them, and a number may have too many digits to write.
"""

from __future__ import annotations

import yaml

LONGEST_NUMBER = 40
"""Signs of a number; longer ones stay text."""

_TAG = "tag:yaml.org,2002:"
WHOLE = f"{_TAG}int"


class UnfitYamlError(yaml.MarkedYAMLError):
    """YAML that could harm; `problem` says how."""


class _PlainLoader(yaml.SafeLoader):
    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            event: yaml.AliasEvent = self.peek_event()  # type: ignore[no-untyped-call]  # stub
            if not isinstance(self.anchors.get(event.anchor), yaml.ScalarNode):
                raise UnfitYamlError(
                    problem=f"*{event.anchor:.40} stands for no single value: refused",
                    problem_mark=event.start_mark,  # type: ignore[arg-type]  # stub
                )
        return super().compose_node(parent, index)

    def number(self, node: yaml.ScalarNode) -> object:
        """A number if it is a short one, else its text."""
        if len(node.value) > LONGEST_NUMBER:
            return self.text(node)
        whole = node.tag == WHOLE
        make = self.construct_yaml_int if whole else self.construct_yaml_float
        return make(node)

    def text(self, node: yaml.ScalarNode) -> object:
        """The text itself."""
        return self.construct_scalar(node)


_PlainLoader.add_constructor(WHOLE, _PlainLoader.number)
_PlainLoader.add_constructor(f"{_TAG}float", _PlainLoader.number)
# no label set needs a date
_PlainLoader.add_constructor(f"{_TAG}timestamp", _PlainLoader.text)


def load_plain(text: str) -> object:
    """Read one document.

    Args:
        text: the file.

    Raises:
        UnfitYamlError: an alias stands for a list or a mapping.
        yaml.YAMLError: not YAML.
        RecursionError: nested too deep.
        ValueError: a value that is none, as of a number.
    """
    loader = _PlainLoader(text)
    try:
        value: object = loader.get_single_data()
    finally:
        loader.dispose()
    return value
