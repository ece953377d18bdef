"""What the stand-in for Bitbucket does, with the documented limits and refusals."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.forges.bitbucket.stand_in import HEAD, NUMBER, REPOSITORY, Bitbucket, Refused, Someone


@dataclass
class Call:
    """One request that was let in."""

    state: Bitbucket
    query: dict[str, list[str]] = field(default_factory=dict)
    body: Any = None


Action = Callable[[Call, Someone, re.Match[str]], Any]
ROUTES: list[tuple[str, re.Pattern[str], Action]] = []


def _route(method: str, path: str) -> Callable[[Action], Action]:
    def keep(action: Action) -> Action:
        ROUTES.append((method, re.compile(path), action))
        return action

    return keep


_PULL = rf"/repositories/{REPOSITORY}/pullrequests/{NUMBER}"
_COMMIT = rf"/repositories/{REPOSITORY}/commit/(?P<commit>[0-9a-f]+)"
REPORT = rf"{_COMMIT}/reports/(?P<report>[^/]+)"


@_route("GET", "/user")
def _user(call: Call, who: Someone, _: re.Match[str]) -> Any:
    if "account" not in who.scopes:
        raise Refused(403, "Your credentials lack one or more required privilege scopes.")
    return who.shape


@_route("GET", _PULL)
def _pull_request(call: Call, who: Someone, _: re.Match[str]) -> Any:
    state = call.state
    opener = state.opener and state.opener.shape
    source = {
        "commit": {"hash": state.head[:12]},
        "branch": {"name": state.branch},
        "repository": {"type": "repository", "full_name": state.home},
    }
    sides = {"source": source, "destination": {"branch": {"name": "main"}}}
    told = {"type": "pullrequest", "id": NUMBER, "state": state.state}
    return {**told, "author": opener, **sides}


@_route("GET", f"{_PULL}/commits")
def _commits(call: Call, who: Someone, _: re.Match[str]) -> Any:
    raw = {"type": "author", "raw": "A <a@example.org>"}
    named = [raw | ({"user": one.shape} if one else {}) for one in call.state.wrote]
    return {"values": [{"type": "commit", "hash": HEAD, "author": one} for one in named]}


@_route("GET", _COMMIT)
def _commit(call: Call, who: Someone, found: re.Match[str]) -> Any:
    store, wanted = call.state.store, found["commit"]
    if call.state.head.startswith(wanted):
        wanted = call.state.head
    elif store is None or not store.has(wanted):
        raise Refused(404, "Commit not found")
    if store is None or not store.has(wanted):
        return {"type": "commit", "hash": wanted}
    parents = [{"type": "commit", "hash": one} for one in store.parents(wanted)]
    url = f"https://bitbucket.org/{REPOSITORY}/commits/{wanted}"
    return {
        "type": "commit",
        "hash": wanted,
        "parents": parents,
        "links": {"html": {"href": url}},
    }


@_route("GET", f"{_PULL}/comments")
def _comments(call: Call, who: Someone, _: re.Match[str]) -> Any:
    state = call.state
    page = int(call.query.get("page", ["1"])[0])
    size = min(state.per_page, int(call.query.get("pagelen", ["10"])[0]), 100)
    every = list(state.comments.values())
    answer = {"values": every[(page - 1) * size : page * size], "page": page, "pagelen": size}
    if page * size < len(every):
        here = f"{state.url}{_PULL}/comments?page={page + 1}&pagelen={size}"
        answer["next"] = state.next_page or here
    return answer


@_route("POST", f"{_PULL}/comments")
def _comment(call: Call, who: Someone, _: re.Match[str]) -> Any:
    sent = call.body
    more = {name: sent[name] for name in ("inline", "parent") if name in sent}
    if inline := more.get("inline"):
        lines = call.state.diff.get(inline["path"], 0)
        if not inline.get("start_to", 1) <= inline["to"] <= lines:
            raise Refused(400, "inline: there is no such line")
    if parent := more.get("parent"):
        _of(call, str(parent["id"]))
    id = call.state.comment(who, _text(sent), **more)
    return call.state.comments[id]


@_route("PUT", rf"{_PULL}/comments/(?P<id>\d+)")
def _edit(call: Call, who: Someone, found: re.Match[str]) -> Any:
    known = _owned(call, found["id"], who)
    known["content"]["raw"] = _text(call.body).rstrip()
    return known


@_route("DELETE", rf"{_PULL}/comments/(?P<id>\d+)")
def _delete(call: Call, who: Someone, found: re.Match[str]) -> Any:
    _owned(call, found["id"], who).update(deleted=True, content={"raw": ""})


@_route("POST", rf"{_PULL}/comments/(?P<id>\d+)/resolve")
def _resolve(call: Call, who: Someone, found: re.Match[str]) -> Any:
    known = _of(call, found["id"])
    if "parent" in known:
        raise Refused(403, "not a top-level comment")
    if known["resolution"]:
        raise Refused(409, "already resolved")
    call.state.settle(known["id"], who)
    return known["resolution"]


@_route("DELETE", rf"{_PULL}/comments/(?P<id>\d+)/resolve")
def _reopen(call: Call, who: Someone, found: re.Match[str]) -> Any:
    known = _of(call, found["id"])
    if not known["resolution"]:
        raise Refused(404, "not resolved")
    known["resolution"] = None


@_route("PUT", REPORT)
def _put_report(call: Call, who: Someone, found: re.Match[str]) -> Any:
    sent = call.body
    if len(sent.get("data", [])) > 10 or len(sent.get("details", "")) > 2000:
        raise Refused(400, "The provided Report object is malformed or incomplete.")
    call.state.reports[found["commit"]] = sent
    return sent


@_route("DELETE", REPORT)
def _delete_report(call: Call, who: Someone, found: re.Match[str]) -> Any:
    if call.state.reports.pop(found["commit"], None) is None:
        raise Refused(404, "There is no report")
    call.state.annotations.pop(found["commit"], None)


@_route("POST", f"{REPORT}/annotations")
def _annotate(call: Call, who: Someone, found: re.Match[str]) -> Any:
    known = call.state.annotations[found["commit"]]
    if found["commit"] not in call.state.reports:
        raise Refused(404, "There is no report")
    if not 1 <= len(call.body) <= 100:
        raise Refused(400, "up to 100 annotations per request")
    for one in call.body:
        if not 1 <= len(one["summary"]) <= 450 or len(one.get("details", "")) > 2000:
            raise Refused(400, "a summary or details of a wrong length")
        if one.get("line", 1) < 1 or "\x00" in one.get("path", ""):
            raise Refused(400, "a place that cannot be")
        known[one["external_id"]] = one
    if len(known) > 1000:
        raise Refused(400, "up to 1000 annotations per report")
    return call.body


@_route("POST", f"{_COMMIT}/statuses/build")
def _status(call: Call, who: Someone, found: re.Match[str]) -> Any:
    sent = call.body
    if len(sent["key"]) > 40 or not re.fullmatch(r"https?://\S+", sent.get("url", "")):
        raise Refused(400, "url: Enter a valid URL.")
    call.state.statuses[found["commit"]] = sent
    return sent


@_route("GET", f"/workspaces/example/permissions/repositories/{REPOSITORY.split('/')[1]}")
def _permissions(call: Call, who: Someone, _: re.Match[str]) -> Any:
    if "admin" not in who.scopes:
        raise Refused(403, "admin permission for the repository is needed")
    query = call.query["q"][0]
    rows = [
        {"type": "repository_permission", "permission": level, "user": _named(account)}
        for account, level in call.state.permissions.items()
        if account in query or "everybody" in call.state.permissions
    ]
    return {"values": rows, "page": 1}


def _named(account: str) -> dict[str, Any]:
    name = "uuid" if account.startswith("{") else "account_id"
    return {"type": "user", name: account}


def _text(sent: dict[str, Any]) -> str:
    raw = str(sent["content"]["raw"])
    if not raw.strip() or len(raw) > 32_768:
        raise Refused(400, "content: a text of 1 to 32768 characters")
    return raw


def _of(call: Call, id: str) -> dict[str, Any]:
    known = call.state.comments.get(int(id))
    if known is None or known["deleted"]:
        raise Refused(404, "There is no such comment")
    return known


def _owned(call: Call, id: str, who: Someone) -> dict[str, Any]:
    known = _of(call, id)
    if known["user"]["uuid"] != who.uuid:
        raise Refused(403, "You do not have access to this comment")
    return known
