"""What bench/ says of well-kept sites is whole, and a folder is served as a good server would."""

import runpy
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.sites.folder import served

BENCH = Path(__file__).parents[1] / "bench"


def said() -> dict[str, Any]:
    return runpy.run_path(str(BENCH / "real_sites.py"))


def test_every_finding_has_a_verdict_with_its_reason() -> None:
    module = said()
    names = {one.name for one in module["sites"]()}
    judged = module["judgements"]()
    verdicts = {"act", "not", "setup"}
    lacking = [one for one in judged if one.verdict not in verdicts or len(one.reason) < 10]
    assert lacking == []
    assert {one.subject for one in judged} == names
    assert len({one.key for one in judged}) == len(judged)


def test_what_is_told_now_has_a_second_verdict_with_its_reason() -> None:
    judged = [one for one in said()["judgements"]() if one.now]
    assert [
        one for one in judged if one.second not in {"act", "not"} or len(one.second_reason) < 10
    ] == []


def test_the_page_shows_what_was_judged() -> None:
    module = said()
    page = module["page"](module["sites"](), module["judgements"]())
    assert (BENCH / "real_sites.md").read_text("utf-8") == page


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    site = tmp_path / "tree" / "site"
    (site / "part").mkdir(parents=True)
    (site / "index.html").write_text("<p>home</p>")
    (site / "part" / "index.html").write_text("<p>part</p>")
    (tmp_path / "tree" / "shared.css").write_text("p {}")
    (tmp_path / "outside.txt").write_text("outside")
    (site / "shared.css").symlink_to("../shared.css")
    (site / "outside.txt").symlink_to(tmp_path / "outside.txt")
    return tmp_path / "tree"


@pytest.mark.parametrize(
    ("path", "status", "kind", "body"),
    [
        ("", 200, "text/html", "<p>home</p>"),
        ("part/", 200, "text/html", "<p>part</p>"),
        ("shared.css", 200, "text/css", "p {}"),
        ("outside.txt", 404, "text/html", ""),
        ("../../outside.txt", 404, "text/html", ""),
        ("missing.html", 404, "text/html", ""),
    ],
)
def test_a_folder_is_served_with_types_and_nothing_outside_it(
    tree: Path, path: str, status: int, kind: str, body: str
) -> None:
    with served(tree, tree / "site") as address:
        answer = httpx.get(address + path, trust_env=False)
    assert (answer.status_code, answer.headers["content-type"]) == (status, kind)
    assert body in answer.text
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_a_folder_without_its_slash_is_redirected(tree: Path) -> None:
    with served(tree, tree / "site") as address:
        answer = httpx.get(f"{address}part", trust_env=False)
    assert (answer.status_code, answer.headers["location"]) == (301, "/part/")
