"""GitHub's REST operations over a hub: it refuses what GitHub's documentation refuses."""

import re
from collections.abc import Callable
from typing import Any

from tests.forges.github import contents
from tests.forges.github.hub import HEAD, NUMBER, REPOSITORY, Answer, Hub, Refused, Request

_ROOT = f"/api/v3/repos/{REPOSITORY}"
_BODY = 65_536
_BYTES = 65_535
_READ_ONLY = "Resource not accessible by integration"
_NO_APP = "You must authenticate via a GitHub App."


def _needs(request: Request, permission: str) -> None:
    if permission not in request.token.writes:
        raise Refused(403, _READ_ONLY)


def _checked_body(text: str) -> str:
    if len(text) > _BODY:
        said = {
            "code": "unprocessable",
            "message": f"Body is too long (maximum is {_BODY} characters)",
        }
        raise Refused(422, "Validation Failed", said)
    return text.rstrip()


def _found(rows: list[dict[str, Any]], id: int) -> dict[str, Any]:
    for row in rows:
        if row["id"] == id:
            return row
    raise Refused(404, "Not Found")


def _owned(request: Request, row: dict[str, Any]) -> dict[str, Any]:
    """A bot edits its own comments alone; people with write access edit all."""
    if row["user"]["id"] != request.token.account.id and "contents" not in request.token.writes:
        raise Refused(403, _READ_ONLY)
    return row


def _page(request: Request, rows: list[dict[str, Any]]) -> Answer:
    size, page = int(request.query.get("per_page", 30)), int(request.query.get("page", 1))
    assert size <= 100
    return Answer(200, rows[(page - 1) * size : page * size])


def show_pull(hub: Hub, request: Request) -> Answer:
    home = {"full_name": hub.home}
    head = {"sha": hub.head, "ref": hub.branch or "topic", "repo": home}
    base = {"sha": hub.base, "ref": "main"}
    return Answer(
        200,
        {
            "number": NUMBER,
            "state": hub.state,
            "user": {"login": hub.opener},
            "head": head,
            "base": base,
        },
    )


def list_commits(hub: Hub, request: Request) -> Answer:
    """Of 250 at most, as GitHub's documentation says."""
    # GitHub says null for nobody, which its own description forbids: so nothing is said here.
    named = ({"author": {"login": login}} if login else {} for login in hub.wrote)
    rows = [{"sha": HEAD, **one, "committer": {"login": "web-flow"}} for one in named]
    return _page(request, rows[:250])


def list_pulls(hub: Hub, request: Request) -> Answer:
    """``head`` names the owner of the head's repository and its branch."""
    owner, _, branch = request.query["head"].partition(":")
    wanted = [
        row
        for row in hub.pulls
        if request.query.get("state", "open") in {"all", row["state"]}
        and row["head"]["ref"] == branch
        and row["head"]["repo"]["full_name"].partition("/")[0] == owner
    ]
    newest = wanted[::-1] if request.query.get("direction") == "desc" else wanted
    return _page(request, newest)


def list_pulls_of_commit(hub: Hub, request: Request, commit: str) -> Answer:
    return _page(request, [row for row in hub.pulls if commit in row["commits"]])


def list_comments(hub: Hub, request: Request) -> Answer:
    return _page(request, hub.comments)


def write_comment(hub: Hub, request: Request) -> Answer:
    _needs(request, "pull-requests")
    hub.limit()
    body = _checked_body(request.body["body"])
    hub.comments.append({"id": hub.next_id(), "body": body, "user": request.token.account.said})
    return Answer(201, hub.comments[-1])


def edit_comment(hub: Hub, request: Request, id: str) -> Answer:
    _needs(request, "pull-requests")
    hub.limit()
    row = _owned(request, _found(hub.comments, int(id)))
    row["body"] = _checked_body(request.body["body"])
    return Answer(200, row)


def remove_comment(hub: Hub, request: Request, id: str) -> Answer:
    _needs(request, "pull-requests")
    hub.comments.remove(_owned(request, _found(hub.comments, int(id))))
    return Answer(204)


def react(hub: Hub, request: Request, id: str) -> Answer:
    _needs(request, "pull-requests")
    hub.reactions.append((_found(hub.comments, int(id))["id"], request.body["content"]))
    return Answer(201, {"content": request.body["content"]})


def open_thread(hub: Hub, request: Request) -> Answer:
    _needs(request, "pull-requests")
    hub.limit()
    asked = request.body
    start = asked.get("start_line", asked["line"])
    if "start_line" in asked and start >= asked["line"]:
        raise Refused(422, "Validation Failed", {"message": "start line must precede the end line"})
    hub.takes(asked["path"], asked["commit_id"], range(start, asked["line"] + 1))
    id = hub.next_id()
    first = {"id": f"PRRC_{id}", "databaseId": id, "body": _checked_body(asked["body"])}
    hub.threads.append(
        {
            "id": f"PRRT_{id}",
            "isResolved": False,
            "resolvedBy": None,
            "place": (asked["path"], start, asked["line"]),
            "comments": [{**first, "author": request.token.account}],
        }
    )
    return Answer(201, {"id": id, "body": first["body"], "path": asked["path"]})


def list_runs(hub: Hub, request: Request, commit: str) -> Answer:
    named = [
        run
        for run in hub.runs
        if run["head_sha"] == commit and run["name"] == request.query.get("check_name")
    ]
    latest = {run["app"]["slug"]: run for run in named}
    shown = [_run(run) for run in reversed(latest.values())]
    return Answer(200, {"total_count": len(shown), "check_runs": shown})


def make_run(hub: Hub, request: Request) -> Answer:
    _may_check(hub, request)
    app = {"id": 15368, "slug": request.token.account.login.removesuffix("[bot]")}
    run = {"id": hub.next_id(), "output": {}, "annotations": [], "app": app}
    _change_run(run, request.body)
    hub.runs.append(run)
    return Answer(201, _run(run))


def edit_run(hub: Hub, request: Request, id: str) -> Answer:
    _may_check(hub, request)
    run = _found(hub.runs, int(id))
    if run["app"]["slug"] != request.token.account.login.removesuffix("[bot]"):
        raise Refused(403, "Invalid app_id `15368` - check run can only be modified by its app.")
    _change_run(run, request.body)
    return Answer(200, _run(run))


def _may_check(hub: Hub, request: Request) -> None:
    if not request.token.is_app:
        raise Refused(403, _NO_APP)
    _needs(request, "checks")
    hub.limit()


def _change_run(run: dict[str, Any], asked: dict[str, Any]) -> None:
    output = asked["output"]
    annotations = output.get("annotations", [])
    if len(annotations) > 50:
        raise Refused(422, "No more than 50 annotations are allowed.")
    for name in ("summary", "text"):
        if len(output.get(name, "").encode()) > _BYTES:
            said = f"{name} exceeds a maximum bytesize of {_BYTES}"
            raise Refused(422, "Validation Failed", {"field": name, "message": said})
    for one in annotations:
        fits = len(one["title"]) <= 255 and len(one["message"].encode()) <= 64 * 1024
        if not (one["path"] and 1 <= one["start_line"] <= one["end_line"] and fits):
            raise Refused(422, "Invalid request.")
    run["annotations"] += annotations
    run["output"] = {key: text for key, text in output.items() if key != "annotations"}
    run |= {key: value for key, value in asked.items() if key != "output"}


def _run(run: dict[str, Any]) -> dict[str, Any]:
    counted = {"text": None, **run["output"], "annotations_count": len(run["annotations"])}
    return {**{key: run[key] for key in run if key != "annotations"}, "output": counted}


def set_status(hub: Hub, request: Request, commit: str) -> Answer:
    _needs(request, "statuses")
    if len(request.body["description"]) > 140:
        raise Refused(422, "Validation Failed", {"message": "description is too long"})
    hub.statuses.append({**request.body, "sha": commit})
    return Answer(201, {"id": hub.next_id(), "state": request.body["state"]})


def take_sarif(hub: Hub, request: Request) -> Answer:
    if not hub.is_secured:
        said = "Code Security must be enabled for this repository to use code scanning."
        raise Refused(403, said)
    _needs(request, "security-events")
    hub.sarifs.append(request.body)
    return Answer(202, {"id": "47177e22-5596-11eb-80a1-c1e54ef945c6"})


def show_permission(hub: Hub, request: Request, login: str) -> Answer:
    if login not in hub.permissions:
        raise Refused(404, f"{login} is not a user")
    return Answer(200, {"permission": hub.permissions[login], "role_name": "custom"})


def list_issues(hub: Hub, request: Request) -> Answer:
    rows = [row for row in hub.issues if row["user"]["login"] == request.query["creator"]]
    assert (request.query["state"], request.query["direction"]) == ("all", "asc")
    return _page(request, rows)


def write_issue(hub: Hub, request: Request) -> Answer:
    _needs(request, "issues")
    number = 100 + len(hub.issues)
    row = {
        "number": number,
        "title": request.body["title"],
        "body": _checked_body(request.body["body"]),
        "state": "open",
        "labels": [{"name": name} for name in request.body["labels"]],
        "user": request.token.account.said,
        "html_url": f"https://github.example.org/{REPOSITORY}/issues/{number}",
    }
    hub.issues.append(row)
    return Answer(201, row)


def edit_issue(hub: Hub, request: Request, number: str) -> Answer:
    _needs(request, "issues")
    row = next(row for row in hub.issues if row["number"] == int(number))
    row |= request.body
    return Answer(200, row)


_ID, _SHA = r"(\d+)", r"([0-9a-f]{40})"
ROUTES: tuple[tuple[str, str, Callable[..., Answer]], ...] = (
    ("GET", r"/pulls", list_pulls),
    ("GET", rf"/pulls/{NUMBER}", show_pull),
    ("GET", r"", contents.show_repository),
    ("GET", r"/branches/([^/]+)", contents.show_branch),
    ("GET", r"/rules/branches/([^/]+)", contents.show_rules),
    ("GET", r"/contents/([^/]+)", contents.show_file),
    ("POST", r"/git/blobs", contents.make_blob),
    ("POST", r"/git/trees", contents.make_tree),
    ("POST", r"/git/commits", contents.make_commit),
    ("GET", rf"/git/commits/{_SHA}", contents.show_commit),
    ("POST", r"/pulls", contents.open_pull),
    ("PATCH", rf"/pulls/{_ID}", contents.edit_pull),
    ("GET", rf"/pulls/{NUMBER}/commits", list_commits),
    ("POST", rf"/pulls/{NUMBER}/comments", open_thread),
    ("GET", rf"/issues/{NUMBER}/comments", list_comments),
    ("POST", rf"/issues/{NUMBER}/comments", write_comment),
    ("PATCH", rf"/issues/comments/{_ID}", edit_comment),
    ("DELETE", rf"/issues/comments/{_ID}", remove_comment),
    ("POST", rf"/issues/comments/{_ID}/reactions", react),
    ("GET", rf"/commits/{_SHA}/check-runs", list_runs),
    ("GET", rf"/commits/{_SHA}/pulls", list_pulls_of_commit),
    ("POST", r"/check-runs", make_run),
    ("PATCH", rf"/check-runs/{_ID}", edit_run),
    ("POST", rf"/statuses/{_SHA}", set_status),
    ("POST", r"/code-scanning/sarifs", take_sarif),
    ("GET", r"/collaborators/([^/]+)/permission", show_permission),
    ("GET", r"/issues", list_issues),
    ("POST", r"/issues", write_issue),
    ("PATCH", rf"/issues/{_ID}", edit_issue),
)


def answer(hub: Hub, request: Request) -> Answer:
    """What GitHub would say."""
    if not request.token.sees:
        raise Refused(404, "Not Found")
    for verb, path, act in ROUTES:
        match = re.fullmatch(_ROOT + path, request.path)
        if match and verb == request.verb:
            return act(hub, request, *match.groups())
    raise Refused(404, "Not Found")
