"""What of a template is a secret: parameters that say so, and what functions list keys."""

import re
from collections.abc import Iterator

from mergegate.repo.facts.documents import Node
from mergegate.repo.facts.templates import CALL

_LISTS = re.compile(
    r"list\w{0,40}(?:keys?|secrets?|sas|credentials?|connectionstrings?|tokens?|callbackurl)",
    re.IGNORECASE,
)
"""The functions that hand out what lets its holder in."""
_LISTED = re.compile(rf"\b{_LISTS.pattern}\(", re.IGNORECASE)
_NAMED = re.compile(r"\b(parameters|variables)\('(\w{1,80})'\)", re.IGNORECASE)
_SECURE = frozenset({"securestring", "secureobject"})


def is_secure(declared: Node) -> bool:
    """Whether a parameter or output is declared as a secret, which Azure then does not keep."""
    return declared["type"].text.lower() in _SECURE


class Confidential:
    """Tells which values of one template hold a secret that stands elsewhere."""

    def __init__(self, root: Node) -> None:
        self._parameters = {key.lower(): one for key, one in root["parameters"].entries}
        self._variables = {key.lower(): one for key, one in root["variables"].entries}
        self._known: dict[str, bool] = {}

    def holds(self, value: Node) -> bool:
        """Whether the value, as it is written, takes a secret from somewhere."""
        return any(self._is_secret(one) for one in value.walk())

    def _is_secret(self, node: Node) -> bool:
        if node.tag == CALL:
            is_listed = _LISTS.fullmatch(node.text) is not None
            return is_listed or any(map(self._is_secret_name, _names(node)))
        if not node.text.startswith("["):
            return False
        if _LISTED.search(node.text):
            return True
        return any(self._is_secret_name(match[2]) for match in _NAMED.finditer(node.text))

    def _is_secret_name(self, name: str) -> bool:
        key = name.lower()
        if key in self._parameters:
            # A secure object is mostly a bag of settings, of which a few are secret.
            return self._parameters[key]["type"].text.lower() == "securestring"
        if key not in self._known:
            self._known[key] = False  # what depends on itself holds nothing
            variable = self._variables.get(key)
            self._known[key] = variable is not None and self.holds(variable)
        return self._known[key]


def _names(call: Node) -> Iterator[str]:
    if call.text in {"symbol", "parameters", "variables"} and call.children:
        yield call.children[0].text
