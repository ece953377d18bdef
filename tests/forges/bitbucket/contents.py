"""Branches, files and commits of the stand-in for Bitbucket, and pull requests that are opened."""

import email.parser
import email.policy
import re
from email.message import Message
from typing import Any
from urllib.parse import unquote

from tests.forges.bitbucket.routes import ROUTES, Action, Call
from tests.forges.bitbucket.stand_in import REPOSITORY, Refused, Someone
from tests.forges.git_store import GitStore

_ROOT = f"/repositories/{REPOSITORY}"
_BRANCH = rf"{_ROOT}/refs/branches/(?P<name>[^/]+)"
_PULLS = f"{_ROOT}/pullrequests"
_FIRST = 500


def _route(method: str, path: str, action: Action) -> None:
    ROUTES.append((method, re.compile(path), action))


def _store(call: Call) -> GitStore:
    if call.state.store is None:
        raise Refused(404, "There is no API hosted at this URL.")
    return call.state.store


def _repository(call: Call, who: Someone, _: re.Match[str]) -> Any:
    main = {"type": "branch", "name": call.state.main}
    return {"type": "repository", "full_name": REPOSITORY, "mainbranch": main}


def _branch(call: Call, who: Someone, found: re.Match[str]) -> Any:
    name = unquote(found["name"])
    if name not in call.state.branches:
        raise Refused(404, f"Branch {name} does not exist")
    tip = {"type": "commit", "hash": call.state.branches[name]}
    return {"type": "branch", "name": name, "target": tip}


def _remove(call: Call, who: Someone, found: re.Match[str]) -> Any:
    name = _branch(call, who, found)["name"]
    call.state.lead(name, None)


def _file(call: Call, who: Someone, found: re.Match[str]) -> Any:
    content = _store(call).content(found["commit"], unquote(found["path"]))
    if content is None:
        raise Refused(404, "No such file or directory")
    return content


def _restrictions(call: Call, who: Someone, _: re.Match[str]) -> Any:
    if "admin" not in who.scopes:
        raise Refused(403, "Your credentials lack one or more required privilege scopes.")
    kind, page = call.query["kind"][0], int(call.query.get("page", ["1"])[0])
    size = min(100, int(call.query.get("pagelen", ["10"])[0]))
    found = [one for one in call.state.restrictions if one["kind"] == kind]
    answer = {"values": found[(page - 1) * size : page * size], "page": page, "pagelen": size}
    if page * size < len(found):
        more = f"kind={kind}&page={page + 1}&pagelen={size}"
        answer["next"] = f"{call.state.url}{_ROOT}/branch-restrictions?{more}"
    return answer


def _model(call: Call, who: Someone, _: re.Match[str]) -> Any:
    return {
        "type": "effective_repo_branching_model",
        "branch_types": [{"kind": "release", "prefix": "release/"}],
        "development": {"name": call.state.main, "use_mainbranch": True},
    }


def _parts(call: Call) -> tuple[dict[str, str], dict[str, tuple[bool, bytes]]]:
    """The fields of a form, and its files: whether each is executable, and its content."""
    kind, content = call.body
    heading = f"Content-Type: {kind}\r\n\r\n".encode()
    whole = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(heading + content)
    fields, files = {}, {}
    for part in whole.get_payload():
        assert isinstance(part, Message)
        name = str(part.get_param("name", header="content-disposition"))
        raw = part.get_payload(decode=True)
        assert isinstance(raw, bytes)
        if part.get_filename() is None:
            fields[name] = raw.decode()
        else:
            marked = part.get_param("x-attributes", header="content-disposition")
            files[name.removeprefix("/")] = (marked == "executable", raw)
    return fields, files


def _commit(call: Call, who: Someone, _: re.Match[str]) -> Any:
    fields, files = _parts(call)
    assert set(fields) == {"message", "branch", "parents"}
    store, name, parent = _store(call), fields["branch"], fields["parents"]
    if call.state.branches.get(name, parent) != parent:
        raise Refused(409, "The branch has moved on")
    entries = {
        path: ("100755" if executable else "100644", store.blob(content))
        for path, (executable, content) in files.items()
    }
    tree = store.tree(store.tree_of(parent), entries)
    call.state.lead(name, store.commit(tree, [parent], fields["message"]))


def _listed(call: Call, who: Someone, _: re.Match[str]) -> Any:
    wanted = call.query["state"][0]
    found = [one for one in call.state.pulls if one["state"] == wanted]
    return {"values": found[::-1], "page": 1, "pagelen": 100}


def _open(call: Call, who: Someone, _: re.Match[str]) -> Any:
    number = _FIRST + len(call.state.pulls)
    url = f"https://bitbucket.org/{REPOSITORY}/pull-requests/{number}"
    home = {"repository": {"type": "repository", "full_name": REPOSITORY}}
    made = {
        **call.body,
        "id": number,
        "state": "OPEN",
        "author": who.shape,
        "source": call.body["source"] | home,
        "links": {"html": {"href": url}},
    }
    call.state.pulls.append(made)
    return made


def _pull(call: Call, found: re.Match[str]) -> dict[str, Any]:
    for one in call.state.pulls:
        if one["id"] == int(found["id"]):
            return one
    raise Refused(404, "There is no such pull request")


def _edit(call: Call, who: Someone, found: re.Match[str]) -> Any:
    known = _pull(call, found)
    known |= {name: call.body[name] for name in ("title", "description")}
    return known


def _decline(call: Call, who: Someone, found: re.Match[str]) -> Any:
    known = _pull(call, found)
    known["state"] = "DECLINED"
    return known


_route("GET", _ROOT, _repository)
_route("GET", _BRANCH, _branch)
_route("DELETE", _BRANCH, _remove)
_route("GET", rf"{_ROOT}/src/(?P<commit>[0-9a-f]+)/(?P<path>.+)", _file)
_route("POST", f"{_ROOT}/src", _commit)
_route("GET", f"{_ROOT}/branch-restrictions", _restrictions)
_route("GET", f"{_ROOT}/effective-branching-model", _model)
_route("GET", _PULLS, _listed)
_route("POST", _PULLS, _open)
_route("PUT", rf"{_PULLS}/(?P<id>5\d\d)", _edit)
_route("POST", rf"{_PULLS}/(?P<id>5\d\d)/decline", _decline)

__all__ = ["ROUTES"]
