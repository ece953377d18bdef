"""Which scripts and source maps are fetched, from a real server."""

import base64
from typing import Any

import pytest

from mergegate.sandbox.egress.policy import Policy
from mergegate.sandbox.egress.server import egress
from mergegate.sandbox.visit import Visit
from mergegate.sandbox.web import client
from mergegate.site.facts.document import Document, Link, Script
from mergegate.site.security.gather.bounds import Bounds
from mergegate.site.security.gather.scripts import Scripts, scripts
from tests.site.links.places import Place, Say, place
from tests.site.security.gather.maps import map_of

JS = (("Content-Type", "text/javascript"),)
TEXT = (("Content-Type", "text/plain"),)


def look(there: Place, *names: str, bounds: Bounds = Bounds(), **more: Any) -> Scripts:
    """What a page with these scripts loads."""
    marks = tuple(Script(src=there.at(name)) for name in names)
    document = Document(url=there.at(), scripts=marks, **more)
    policy = Policy(allowed=frozenset({("127.0.0.1", there.port)}))
    with egress(policy) as way, client(way.url, Visit(url=there.at())) as web:
        return scripts(document, None, web, bounds)


@pytest.mark.parametrize(
    ("comment", "header", "served", "is_public"),
    [
        ("//# sourceMappingURL=x.map", (), "/x.map", True),
        ("//@ sourceMappingURL=x.map", (), "/x.map", True),
        ("/*# sourceMappingURL=x.map */", (), "/x.map", True),
        ("", (("SourceMap", "/x.map"),), "/x.map", True),
        ("", (("X-SourceMap", "/x.map"),), "/x.map", True),
        ("", (), "/a.js.map", True),
        ("//# sourceMappingURL=gone.map", (), "/x.map", False),
        ("//# sourceMappingURL=https://maps.example.org/x.map", (), "/x.map", False),
        ("", (), "/x.map", False),
    ],
)
def test_a_source_map_is_found_where_it_is_named_or_beside_the_script(
    comment: str, header: tuple[tuple[str, str], ...], served: str, is_public: bool
) -> None:
    with place() as there:
        there.routes |= {
            "/a.js": Say(200, f"run();\n{comment}\n", (*JS, *header)),
            served: Say(200, map_of(one="source"), TEXT),
        }
        seen = look(there, "/a.js")
    assert (seen.loaded[0].source_map is not None) is is_public
    assert [text.text for text in seen.sources] == ["source"] * is_public


def test_a_source_map_within_the_script_is_read_as_well() -> None:
    packed = base64.b64encode(map_of(**{"src/a.ts": "source"}).encode()).decode()
    line = f"//# sourceMappingURL=data:application/json;base64,{packed}"
    with place() as there:
        there.routes |= {"/a.js": Say(200, f"run();\n{line}", JS)}
        seen = look(there, "/a.js")
    assert [(one.name, one.text) for one in seen.sources] == [("src/a.ts", "source")]
    assert seen.loaded[0].source_map is None


@pytest.mark.parametrize(
    "body", ["{", "[" * 100_000, "null", '{"version": 3}', '{"mappings": 3}', "<!doctype html>"]
)
def test_what_is_no_source_map_is_none(body: str) -> None:
    with place() as there:
        there.routes |= {
            "/a.js": Say(200, "run();//# sourceMappingURL=x.map", JS),
            "/x.map": Say(200, body, TEXT),
        }
        seen = look(there, "/a.js")
    assert seen.loaded[0].source_map is None
    assert seen.sources == ()


@pytest.mark.parametrize("kind", ["application/octet-stream", "application/json", ""])
def test_a_map_is_one_whatever_the_server_calls_it(kind: str) -> None:
    head = (("Content-Type", kind),) if kind else ()
    with place() as there:
        there.routes |= {
            "/a.js": Say(200, "run()", JS),
            "/a.js.map": Say(200, map_of(one="source"), head),
        }
        seen = look(there, "/a.js")
    assert seen.loaded[0].source_map is not None
    assert [text.text for text in seen.sources] == ["source"]


@pytest.mark.parametrize(
    ("body", "is_map", "searched"),
    [
        ('{"version":3,"sources":["a.ts"],"sourcesContent":["' + "x" * 3000, True, 1),
        ('{ "version": 3, "mappings":"' + "A" * 3000, True, 0),
        ('{"version":4,"sourcesContent":["' + "x" * 3000, False, 0),
        ("run();" * 1000, False, 0),
    ],
)
def test_a_map_that_is_too_large_is_told_by_its_beginning(
    body: str, is_map: bool, searched: int
) -> None:
    with place() as there:
        there.routes |= {"/a.js": Say(200, "run()", JS), "/a.js.map": Say(200, body, TEXT)}
        seen = look(there, "/a.js", bounds=Bounds(script_bytes=2000))
    assert (seen.loaded[0].source_map is not None) is is_map
    assert [one.whole for one in seen.sources] == [False] * searched


def test_of_a_huge_map_no_more_files_are_kept_than_are_searched() -> None:
    held = map_of(**{f"{number}.ts": "x" for number in range(2000)})
    packed = base64.b64encode(held.encode()).decode()
    with place() as there:
        there.routes |= {
            "/a.js": Say(200, "run()", JS),
            "/a.js.map": Say(200, held, TEXT),
            "/b.js": Say(200, f"//# sourceMappingURL=data:application/json;base64,{packed}", JS),
        }
        one = look(there, "/a.js", "/b.js", bounds=Bounds(map_files=7))
        both = look(there, "/a.js", "/b.js", bounds=Bounds(map_files=2007))
    assert len(one.sources) == 7
    assert len(both.sources) == 2007


def test_what_packages_brought_along_is_not_searched_in_source_maps() -> None:
    held = map_of(**{"../node_modules/x/i.js": "let a", "src/b.ts": "let b"})
    with place() as there:
        there.routes |= {
            "/a.js": Say(200, "run()", JS),
            "/a.js.map": Say(200, held, TEXT),
        }
        seen = look(there, "/a.js")
    assert [text.name for text in seen.sources] == ["src/b.ts"]


def test_no_more_scripts_are_fetched_than_the_bounds_allow_and_that_is_said() -> None:
    with place() as there:
        names = [f"/{number}.js" for number in range(20)]
        there.routes |= {name: Say(200, "x" * 1000, JS) for name in names}
        few = look(there, *names, bounds=Bounds(scripts=5))
        small = look(there, *names, bounds=Bounds(all_bytes=3000, script_bytes=1000))
    assert sum(one.fetched is not None for one in few.loaded) == 5
    assert "15 of the site's own 20 scripts were not fetched." in few.notes
    assert sum(one.fetched is not None for one in small.loaded) == 6


def test_modules_that_are_fetched_ahead_are_scripts_and_each_is_fetched_once() -> None:
    with place() as there:
        there.routes["/m.js"] = Say(200, "export {}", JS)
        link = Link(rels=frozenset({"modulepreload"}), href=there.at("/m.js#x"))
        seen = look(there, "/m.js", links=(link,))
        asked = there.count("/m.js")
    assert [one.url for one in seen.loaded] == [there.at("/m.js")]
    assert asked == 1
