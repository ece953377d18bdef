"""The stand-in's GraphQL: GitHub's own schema, executed over what the stand-in remembers."""

from collections.abc import Callable
from typing import Any

from graphql import GraphQLError, graphql_sync

from tests.forges.github.contents import NODE, lead
from tests.forges.github.contract import schema
from tests.forges.github.hub import NUMBER, REPOSITORY, Account, Answer, Hub, Token

_PAGE = 100


class Forbidden(Exception):
    """Said with status 200 and a type."""

    kind = "FORBIDDEN"


class NotThere(Forbidden):
    kind = "NOT_FOUND"


class Stale(Forbidden):
    """GitHub does not document what it says of a reference that moved."""

    kind = "UNPROCESSABLE"


def graph(hub: Hub, token: Token, asked: dict[str, Any]) -> Answer:
    """The answer to one document."""
    result = graphql_sync(
        schema(), asked["query"], _root(hub, token), variable_values=asked["variables"]
    )
    said: dict[str, Any] = {"data": result.data}
    if result.errors:
        said["errors"] = [_error(one) for one in result.errors]
    return Answer(200, said)


def _error(error: GraphQLError) -> dict[str, Any]:
    kind = getattr(error.original_error, "kind", None)
    return {"message": error.message, **({"type": kind} if kind else {})}


def _root(hub: Hub, token: Token) -> dict[str, Any]:
    return {
        "viewer": {"login": token.account.login, "databaseId": token.account.id},
        "repository": lambda info, owner, name, **_: _repository(hub, token, f"{owner}/{name}"),
        "resolveReviewThread": lambda info, **given: _resolve(hub, token, given, True),
        "unresolveReviewThread": lambda info, **given: _resolve(hub, token, given, False),
        "updateRefs": lambda info, **given: _update_refs(hub, token, given["input"]),
        "updatePullRequestReviewComment": lambda info, **given: _set_body(hub, token, given),
    }


def _repository(hub: Hub, token: Token, name: str) -> dict[str, Any]:
    if name != REPOSITORY or not token.sees:
        raise NotThere(f"Could not resolve to a Repository with the name '{name}'.")
    return {"pullRequest": lambda info, number: _pull(hub, token) if number == NUMBER else None}


def _pull(hub: Hub, token: Token) -> dict[str, Any]:
    return {"reviewThreads": _connection(hub, token)}


def _connection(hub: Hub, token: Token) -> Callable[..., dict[str, Any]]:
    def page(info: Any, first: int, after: str | None = None, **_: Any) -> dict[str, Any]:
        assert first <= _PAGE
        start = int(after or 0)
        end = start + first
        return {
            "pageInfo": {"hasNextPage": end < len(hub.threads), "endCursor": str(end)},
            "nodes": [_thread(token, one) for one in hub.threads[start:end]],
        }

    return page


def _thread(token: Token, one: dict[str, Any]) -> dict[str, Any]:
    nodes = [{**comment, "author": _actor(comment["author"])} for comment in one["comments"]]
    resolver = one["resolvedBy"] and _actor(one["resolvedBy"])
    may = "contents" in token.writes
    return {
        **one,
        "resolvedBy": resolver,
        "comments": lambda info, first, **_: {"nodes": nodes[:first]},
        "viewerCanResolve": may and not one["isResolved"],
    }


def _actor(account: Account) -> dict[str, Any]:
    """GraphQL says the login of a bot without its brackets."""
    login = account.login.removesuffix("[bot]")
    return {"__typename": account.type, "login": login, "databaseId": account.id}


def _resolve(hub: Hub, token: Token, asked: dict[str, Any], is_resolved: bool) -> dict[str, Any]:
    if "contents" not in token.writes:
        raise Forbidden("Resource not accessible by integration")
    hub.limit()
    one = next(thread for thread in hub.threads if thread["id"] == asked["input"]["threadId"])
    one |= {"isResolved": is_resolved, "resolvedBy": token.account if is_resolved else None}
    return {"thread": _thread(token, one)}


def _set_body(hub: Hub, token: Token, asked: dict[str, Any]) -> dict[str, Any]:
    wanted = asked["input"]
    for thread in hub.threads:
        for comment in thread["comments"]:
            if comment["id"] == wanted["pullRequestReviewCommentId"]:
                if "pull-requests" not in token.writes:
                    raise Forbidden("Resource not accessible by integration")
                hub.limit()
                comment["body"] = wanted["body"].rstrip()
                return {"pullRequestReviewComment": {**comment, "author": None}}
    raise NotThere("Could not resolve to a node with the global id")


def _update_refs(hub: Hub, token: Token, asked: dict[str, Any]) -> dict[str, Any]:
    if asked["repositoryId"] != NODE:
        raise NotThere("Could not resolve to a node with the global id")
    if "contents" not in token.writes:
        raise Forbidden("Resource not accessible by integration")
    if refusal := lead(hub, asked["refUpdates"]):
        raise Stale(refusal)
    return {"clientMutationId": None}
