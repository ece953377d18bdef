"""The judge of the other tests judges: a wrong request does not pass, nor does the stand-in."""

from typing import Any

import pytest

from tests.forges.gitlab_contract import answer_complaints, complaints, operation

NOTES = "/api/v4/projects/group%2Fapp/merge_requests/7/notes"
THREADS = "/api/v4/projects/group%2Fapp/merge_requests/7/discussions"
POSITION = {"base_sha": "a", "start_sha": "b", "head_sha": "c", "position_type": "text"}


def test_right_requests_pass() -> None:
    assert not list(complaints("POST", NOTES, {}, {"body": "text"}))
    assert not list(complaints("GET", NOTES, {"per_page": ["100"], "sort": ["asc"]}, {}))
    position = POSITION | {"line_range": {"start": {"type": None, "new_line": 1}}}
    assert not list(complaints("POST", THREADS, {}, {"body": "text", "position": position}))


@pytest.mark.parametrize(
    ("method", "path", "query", "body"),
    [
        ("PATCH", NOTES, {}, {}),
        ("GET", "/api/v4/projects/group/app/merge_requests/7/notes", {}, {}),
        ("GET", NOTES.replace("7", "seven"), {}, {}),
        ("GET", NOTES, {"sort": ["up"]}, {}),
        ("GET", NOTES, {"per_page": ["1000"]}, {}),
        ("GET", NOTES, {"invented": ["1"]}, {}),
        ("GET", NOTES, {}, {"body": "in a reading request"}),
        ("POST", NOTES, {}, {}),
        ("POST", NOTES, {}, {"body": 5}),
        ("POST", NOTES, {}, {"body": "text", "text": "invented"}),
        ("POST", THREADS, {}, {"body": "text", "position": {}}),
        ("POST", THREADS, {}, {"body": "text", "position": POSITION | {"new_line": "5"}}),
        ("POST", THREADS, {}, {"body": "text", "position": POSITION | {"position_type": "line"}}),
    ],
)
def test_wrong_requests_do_not(
    method: str, path: str, query: dict[str, list[str]], body: Any
) -> None:
    assert list(complaints(method, path, query, body))


@pytest.mark.parametrize("answer", [{"id": "x"}, {"invented": 1}, [{"id": 1}, {"body": 5}]])
def test_wrong_answers_do_not(answer: Any) -> None:
    found = operation("POST", NOTES)
    assert found
    assert list(answer_complaints(found[0], 201, answer))
