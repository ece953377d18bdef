"""GitHub's operations on branches, on Git's objects, and on pull requests that somebody opens."""

import base64
from typing import Any
from urllib.parse import unquote

from tests.forges.git_store import GitStore
from tests.forges.github.hub import REPOSITORY, Answer, Hub, Refused, Request

NODE = "R_acme_shop"
_READ_ONLY = "Resource not accessible by integration"
_NO_OPENING = "GitHub Actions is not permitted to create or approve pull requests."
_FIRST = 500


def needs(request: Request, permission: str) -> None:
    if permission not in request.token.writes:
        raise Refused(403, _READ_ONLY)


def _store(hub: Hub) -> GitStore:
    if hub.store is None:
        raise Refused(409, "Git Repository is empty.")
    return hub.store


def show_repository(hub: Hub, request: Request) -> Answer:
    said = {"full_name": REPOSITORY, "node_id": NODE, "default_branch": hub.default}
    return Answer(200, said)


def show_branch(hub: Hub, request: Request, quoted: str) -> Answer:
    name = unquote(quoted)
    if name not in hub.tips():
        raise Refused(404, "Branch not found")
    tip = {"sha": hub.tips()[name]}
    return Answer(200, {"name": name, "commit": tip, "protected": name in hub.protected})


def show_rules(hub: Hub, request: Request, quoted: str) -> Answer:
    types = hub.rules.get(unquote(quoted), [])
    ruleset = {"ruleset_source_type": "Repository", "ruleset_source": REPOSITORY, "ruleset_id": 1}
    rows = [{"type": one, **ruleset} for one in types]
    size, page = int(request.query["per_page"]), int(request.query["page"])
    return Answer(200, rows[(page - 1) * size : page * size])


def show_file(hub: Hub, request: Request, quoted: str) -> Answer:
    content = _store(hub).content(request.query["ref"], unquote(quoted))
    if content is None:
        raise Refused(404, "Not Found")
    told = {"type": "file", "encoding": "base64", "path": unquote(quoted)}
    return Answer(200, told | {"content": base64.encodebytes(content).decode()})


def make_blob(hub: Hub, request: Request) -> Answer:
    needs(request, "contents")
    assert request.body["encoding"] == "base64"
    oid = _store(hub).blob(base64.b64decode(request.body["content"]))
    return Answer(201, {"sha": oid, "url": "https://api.example.org/blob"})


def make_tree(hub: Hub, request: Request) -> Answer:
    needs(request, "contents")
    asked = request.body["tree"]
    if any(one["path"].startswith(".github/workflows/") for one in asked):
        needs(request, "workflows")
    entries = {one["path"]: (one["mode"], one["sha"]) for one in asked}
    return Answer(201, {"sha": _store(hub).tree(request.body["base_tree"], entries)})


def make_commit(hub: Hub, request: Request) -> Answer:
    needs(request, "contents")
    asked = request.body
    made = _store(hub).commit(asked["tree"], asked["parents"], asked["message"])
    url = f"https://github.example.org/{REPOSITORY}/commit/{made}"
    return Answer(201, {"sha": made, "html_url": url})


def show_commit(hub: Hub, request: Request, commit: str) -> Answer:
    store = _store(hub)
    if not store.has(commit):
        raise Refused(404, "Not Found")
    return Answer(200, {"sha": commit, "tree": {"sha": store.tree_of(commit)}})


def open_pull(hub: Hub, request: Request) -> Answer:
    needs(request, "pull-requests")
    if not hub.may_open:
        raise Refused(403, _NO_OPENING)
    asked = request.body
    is_known = any(
        row["state"] == "open" and row["head"]["ref"] == asked["head"] for row in hub.pulls
    )
    if is_known or asked["head"] not in hub.tips():
        raise Refused(422, "Validation Failed", {"message": "A pull request already exists"})
    number = _FIRST + len(hub.pulls)
    row = {
        "number": number,
        "state": "open",
        "title": asked["title"],
        "body": asked["body"],
        "user": request.token.account.said,
        "html_url": f"https://github.example.org/{REPOSITORY}/pull/{number}",
        "head": {"ref": asked["head"], "sha": "", "repo": {"full_name": REPOSITORY}},
        "base": {"ref": asked["base"], "sha": hub.base},
        "commits": [],
    }
    hub.pulls.append(row)
    return Answer(201, _shown(row))


def edit_pull(hub: Hub, request: Request, number: str) -> Answer:
    needs(request, "pull-requests")
    row = next((row for row in hub.pulls if row["number"] == int(number)), None)
    if row is None:
        raise Refused(404, "Not Found")
    row |= request.body
    return Answer(200, _shown(row))


def _shown(row: dict[str, Any]) -> dict[str, Any]:
    """The number of commits is what one pull request shows; ours are a list for another route."""
    return {key: value for key, value in row.items() if key != "commits"}


def lead(hub: Hub, updates: list[dict[str, Any]]) -> str | None:
    """What speaks against the updates of references; None once they are done."""
    for one in updates:
        name = one["name"].removeprefix("refs/heads/")
        before, after = one.get("beforeOid"), one["afterOid"]
        known = hub.tips().get(name, "0" * 40)
        if before not in {None, known}:
            return f"Expected {name} to point to {before}, but it points to {known}"
        is_gone = not after.strip("0")
        is_forward = is_gone or not known.strip("0") or _store(hub).is_before(known, after)
        if not (one.get("force") or is_forward):
            return "Update is not a fast forward"
        if name in hub.protected:
            return "Changes must be made through a pull request."
        hub.lead(name, None if is_gone else after)
    return None
