"""What a visitor decides by variables, and what stands beside a server."""

import pytest

from tests.repo.checks.test_dialects import one, resources, said

ROUTED = """
map $http_x_to $to {
  default 127.0.0.1:8080;
  %s
}
server {
  listen 443 ssl;
  location / { proxy_pass http://$to; }
}
"""


@pytest.mark.parametrize(
    ("entry", "is_free"),
    [
        ("~^(?<name>.+)$ $name;", True),
        ("~^(.*)$ $1;", True),
        ("~.+ $http_x_to;", True),
        ("beta 127.0.0.1:8081;", False),
        ("~^(a|b)$ $1;", False),
    ],
)
def test_a_map_may_give_on_what_a_visitor_writes(entry: str, is_free: bool) -> None:
    location = one(resources("nginx.conf", ROUTED % entry), "nginx.location").properties
    assert location["visitors_host"].present is is_free


def test_the_patterns_of_a_map_are_those_that_lead_to_something() -> None:
    text = "map $http_origin $cors {\n  default '';\n  ~a $http_origin;\n  ~b '';\n}\n"
    found = one(resources("nginx.conf", f"{text}server {{\n  listen 80;\n}}\n"), "nginx.map")
    assert said(found.properties["patterns"]) == ["a"]


def test_a_plain_server_has_the_names_that_another_encrypts() -> None:
    text = "server {\n  listen 80;\n  server_name a.io b.io;\n  root /srv;\n}\n"
    text += "server {\n  listen 443 ssl;\n  server_name a.io;\n  root /srv;\n}\n"
    plain, _ = [each for each in resources("nginx.conf", text) if each.kind == "nginx.server"]
    assert (said(plain.properties["plain"]), said(plain.properties["twin"])) == ("true", ["a.io"])
