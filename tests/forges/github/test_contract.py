"""The contract itself can fail."""

import json
import runpy
from typing import Any

import pytest
import requests
from graphql import build_schema
from openapi_core.exceptions import OpenAPIError

from tests.forges.github.contract import API, FOLDER, check_graphql, check_request
from tests.forges.published_npm import published

RUNS = f"{API}/repos/acme/shop/check-runs"


def request(url: str, body: Any, verb: str = "POST") -> requests.PreparedRequest:
    return requests.Request(verb, url, json=body).prepare()


def run(**changed: object) -> dict[str, object]:
    plain = {"name": "Mergegate", "head_sha": "a" * 40, "status": "completed"}
    return {**plain, "conclusion": "success", **changed}


def test_a_request_as_documented_passes() -> None:
    check_request(request(RUNS, run()), API)


def annotations(many: int) -> list[dict[str, object]]:
    one = {"path": "a", "start_line": 1, "end_line": 1, "message": "m"}
    return [{**one, "annotation_level": "failure"}] * many


@pytest.mark.parametrize(
    "wrong",
    [
        run(conclusion="red"),
        run(head_sha=None),
        run(headsha="a"),
        run(output={"title": "t", "summary": "s" * 65_536}),
        run(output={"title": "t", "summary": "s", "annotations": annotations(51)}),
        run(output={"title": "t", "summary": "s", "annotations": [{"path": "a"}]}),
    ],
    ids=["conclusion", "null", "unknown field", "long", "many", "annotation"],
)
def test_a_request_that_github_would_refuse_fails(wrong: object) -> None:
    with pytest.raises(OpenAPIError):
        check_request(request(RUNS, wrong), API)


def test_an_operation_that_is_not_documented_fails() -> None:
    with pytest.raises(OpenAPIError):
        check_request(request(f"{RUNS}/1", {}, "PUT"), API)


@pytest.mark.parametrize(
    "document",
    [
        "query { viewer { loginn } }",
        "mutation($id: ID!) { resolveReviewThread(input: {thread: $id}) { thread { id } } }",
        "mutation($id: String!) { resolveReviewThread(input: {threadId: $id}) { thread { id } } }",
    ],
)
def test_a_document_that_the_schema_does_not_know_fails(document: str) -> None:
    with pytest.raises(AssertionError):
        check_graphql({"query": document})


@pytest.mark.network
def test_the_contract_is_what_github_publishes() -> None:
    prune = runpy.run_path(str(FOLDER / "prune.py"))
    rest = published("@octokit/openapi", "23.0.2", "generated/api.github.com.json")
    kept = json.loads(FOLDER.joinpath("openapi.json").read_text())
    assert prune["openapi"](json.loads(rest.read_text())) == kept
    graph = published("@octokit/graphql-schema", "15.26.1", "schema.graphql")
    whole = build_schema(graph.read_text(), assume_valid_sdl=True)
    assert prune["graphql"](whole) == FOLDER.joinpath("schema.graphql").read_text()
