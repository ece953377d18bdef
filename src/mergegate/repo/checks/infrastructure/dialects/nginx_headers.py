"""Headers of answers and requests in a block of nginx, and those that it does not take over."""

from collections.abc import Iterator, Mapping

from mergegate.repo.checks.infrastructure.dialects.parts import listed, mapping
from mergegate.repo.checks.infrastructure.dialects.web_servers import headers
from mergegate.repo.facts.documents import Node

_OF_ITSELF = frozenset({"host $proxy_host", "connection close", "connection", "upgrade"})
"""Headers of requests that nginx sets so where nobody says anything."""

_Settings = Mapping[str, Node]


def set_headers(line: int, own: _Settings, held: _Settings, around: _Settings) -> dict[str, Node]:
    """The headers that hold, and those of the block around that are lost."""
    outer = around["header"] if "header" in around else mapping(line, {})
    here = headers(own["add_header"]) if "add_header" in own else outer
    derived = {"header": here}
    if "add_header" in own and outer.keys and "include" not in own:
        inherits = held["add_header_inherit"].text if "add_header_inherit" in held else "on"
        if inherits == "merge":
            derived["header"] = mapping(line, {**dict(outer.entries), **dict(here.entries)})
        elif inherits != "off":
            lost = [one for one in outer.keys if not here[one].present]
            derived["dropped"] = listed(own["add_header"].line, lost)
            said = [f"{one} {outer[one].text}" for one in lost]
            derived["dropped_values"] = listed(own["add_header"].line, said)
    if "proxy_set_header" in own and "include" not in own:
        named = {name for name, _ in _sent(own)}
        lost = [
            name for name, text in _sent(around) if name not in named and text not in _OF_ITSELF
        ]
        derived["request_dropped"] = listed(own["proxy_set_header"].line, sorted(set(lost)))
    return derived


def _sent(settings: _Settings) -> Iterator[tuple[str, str]]:
    """Names of headers that are passed on, and each with its value, in small letters."""
    if "proxy_set_header" in settings:
        for one in settings["proxy_set_header"].each:
            if not one.tag:
                text = one.text.lower().strip()
                yield text.partition(" ")[0], text
