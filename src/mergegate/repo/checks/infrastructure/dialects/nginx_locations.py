"""What the locations of a server of nginx say together: who is asked, and what lies in reach."""

import re
from collections.abc import Iterator, Mapping

from mergegate.repo.checks.infrastructure.dialects.parts import says
from mergegate.repo.checks.infrastructure.dialects.web_servers import blocks, directives
from mergegate.repo.facts.documents import ABSENT, Node

_KEYS = ("ssl_certificate_key", "auth_basic_user_file", "auth_jwt_key_file", "ssl_password_file")
_LOGS = ("access_log", "error_log")
_LOGINS = ("auth_basic", "auth_request", "auth_jwt")
_HIDDEN = re.compile(r"~\*? .*/(?:\(.*)?\\\.")
"""A location for files whose names begin with a dot."""
_SCRIPTS = re.compile(r"~\*? .*\\\.\(?(?:php|phtml|cgi|pl|py)")
_FOR_FEW = re.compile(r"= (/(?:\w+/)*(?:admin|manage|dashboard|internal|private|staff|console))")

_Settings = Mapping[str, Node]


def locations(node: Node, own: _Settings, held: _Settings) -> dict[str, Node]:
    """What follows for a server, or for a location of it, from where things lie."""
    inside = [(one["argument"].text, one) for name, one in blocks(node) if name == "location"]
    derived = {"checks_file": says(node.line, _checks_file(node))}
    if "listen" in own:
        hidden = any(_HIDDEN.match(path) for path, _ in inside)
        derived["hides_dots"] = says(node.line, hidden)
    root = held["root"].text.rstrip("/") if "root" in held else ""
    if root.startswith("/") and "$" not in root:
        derived |= dict(_served(f"{root}/", own, any(_HIDDEN.match(path) for path, _ in inside)))
    derived["passed_by"] = next(_passed_by(own, inside), ABSENT)
    derived["one_page"] = next(_one_page(inside), ABSENT)
    return derived


def _checks_file(node: Node) -> bool:
    return any("-f " in block["argument"].text for name, block in blocks(node) if name == "if")


def _served(root: str, own: _Settings, is_hidden: bool) -> Iterator[tuple[str, Node]]:
    """Keys and logs that lie in the folder that is served."""
    for names, key in ((_LOGS, "served_log"), (_KEYS, "served_key")):
        for one in (value for name in names if name in own for value in own[name].each):
            path = one.text.partition(" ")[0]
            is_dotted = "/." in path
            if path.startswith(root) and not (is_dotted and is_hidden):
                yield key, one


def _asks(settings: _Settings) -> Node | None:
    """The line that keeps somebody out."""
    logins = (settings[name] for name in _LOGINS if name in settings)
    denied = settings["deny"].each if "deny" in settings else ()
    asked = [one for one in logins if one.text != "off"]
    return next(iter([*asked, *(one for one in denied if one.text == "all")]), None)


def _passed_by(own: _Settings, inside: list[tuple[str, Node]]) -> Iterator[Node]:
    """A rule of a folder that a location of scripts goes before."""
    is_open = any(
        _SCRIPTS.match(path) and _asks(found) is None and "internal" not in found
        for path, block in inside
        if "fastcgi_pass" in (found := directives(block)) or "proxy_pass" in found
    )
    if not is_open or _asks(own) is not None:
        return
    for path, block in inside:
        within = [one["argument"].text for name, one in blocks(block) if name == "location"]
        if path.startswith("/") and path != "/" and not any(map(_SCRIPTS.match, within)):
            asked = _asks(directives(block))
            if asked is not None:
                yield asked


def _one_page(inside: list[tuple[str, Node]]) -> Iterator[Node]:
    """A rule for one address of a part that another location answers."""
    paths = [path.removeprefix("^~ ") for path, _ in inside]
    for path, block in inside:
        match = _FOR_FEW.fullmatch(path)
        asked = _asks(directives(block)) if match else None
        if match and asked is not None and "/" in paths:
            is_whole = any(one.startswith((match[1], "~")) for one in paths)
            if not is_whole:
                yield asked
