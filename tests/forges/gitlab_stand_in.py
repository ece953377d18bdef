"""A GitLab of our own for the tests: tokens, rights, pages, limits; judged by GitLab's contract."""

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from tests.forges.gitlab_contract import answer_complaints, complaints, operation, parsed
from tests.forges.gitlab_project import Project, Refusal, User
from tests.forges.gitlab_repository import Repository

BOT_TOKEN = "glpat-bot-0123456789abcdef"
READ_TOKEN = "glpat-read-0123456789abcdef"
OTHER_TOKEN = "glpat-other-0123456789abcdef"
STRANGER_TOKEN = "glpat-stranger-0123456789"
JOB_TOKEN = "glcbt-job-0123456789abcdef"
BOT = User(41, "project_5_bot_77", 30)
ADA = User(99, "ada", 40)
EVE = User(66, "eve", 20)
STRANGER = User(13, "stranger", 0)

_PROJECT = r"/api/v4/projects/(?P<id>[^/]+)"
_REQUEST = rf"{_PROJECT}/merge_requests/(?P<request>\d+)"
# What https://docs.gitlab.com/ci/jobs/ci_job_token/ lets a job token do, as far as it is used here.
_FOR_JOBS = re.compile(rf"{_REQUEST}(?:/notes(?:/\d+)?)?")


@dataclass(frozen=True)
class Asked:
    """A request, as it came."""

    method: str
    path: str
    """From ``/api/v4``, quoted."""
    query: dict[str, list[str]]
    body: Any
    headers: dict[str, str]

    def is_one(self, method: str, pattern: str) -> bool:
        return self.method == method and re.search(pattern, self.path) is not None


@dataclass
class Refuse:
    """What the next requests of a kind are told."""

    method: str
    pattern: str
    status: int
    body: Any = field(default_factory=lambda: {"message": "not now"})
    headers: dict[str, str] = field(default_factory=dict)
    times: int = 1
    after: bool = False
    """Whether the work is done all the same, and only the answer lost."""


@dataclass
class GitLab:
    """One site with one project."""

    project: Project = field(default_factory=Project)
    repository: Repository | None = None
    """Its branches and commits; without it there are none."""
    folder: str = ""
    """A relative root, such as ``/gitlab``."""
    port: int = 0
    named: str = ""
    """The address that GitLab believes to have, where that is another."""
    next_page: str = ""
    """Where every next page is said to be, instead of where it is."""
    asked: list[Asked] = field(default_factory=list)
    offences: list[str] = field(default_factory=list)
    """What was against the contract."""
    refuse: list[Refuse] = field(default_factory=list)
    before: list[tuple[str, str, Callable[[], None]]] = field(default_factory=list)
    """Method, path pattern, and what happens once just before such a request is served."""
    tokens: dict[str, User] = field(
        default_factory=lambda: {
            BOT_TOKEN: BOT, READ_TOKEN: BOT, JOB_TOKEN: ADA, OTHER_TOKEN: EVE,
            STRANGER_TOKEN: STRANGER,
        }
    )  # fmt: skip
    lock: threading.RLock = field(default_factory=threading.RLock)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}{self.folder}"

    @property
    def api(self) -> str:
        return f"{self.url}/api/v4"

    def writes(self) -> list[Asked]:
        return [one for one in self.asked if one.method != "GET"]

    def count(self, method: str, pattern: str) -> int:
        return sum(one.is_one(method, pattern) for one in self.asked)

    def serve(self, asked: Asked) -> tuple[int, Any, dict[str, str]]:
        """Status, answer, headers."""
        self._happen(asked)
        with self.lock:
            self.asked.append(asked)
            self.offences += complaints(asked.method, asked.path, asked.query, asked.body)
            try:
                refusal = self._refusal(asked)
                if refusal and not refusal.after:
                    raise Refusal(refusal.status, refusal.body, refusal.headers)
                status, answer = self._answer(asked, self._user(asked))
                if refusal:
                    raise Refusal(refusal.status, refusal.body, refusal.headers)
            except Refusal as error:
                plain = isinstance(error.message, (str, list))
                said = {"message": error.message} if plain else error.message
                return error.status, said, dict(error.headers)
            return self._paged(asked, status, answer)

    def _happen(self, asked: Asked) -> None:
        """Outside of the lock: what happens meanwhile may ask for something itself."""
        with self.lock:
            due = next((one for one in self.before if asked.is_one(*one[:2])), None)
            if due:
                self.before.remove(due)
        if due:
            due[2]()

    def _refusal(self, asked: Asked) -> Refuse | None:
        for one in self.refuse:
            if one.times and asked.is_one(one.method, one.pattern):
                one.times -= 1
                return one
        return None

    def _user(self, asked: Asked) -> User:
        job = asked.headers.get("job-token")
        bearer = asked.headers.get("authorization", "").removeprefix("Bearer ")
        token = asked.headers.get("private-token") or bearer or job or ""
        if token not in self.tokens:
            raise Refusal(401, "401 Unauthorized")
        if job and not (asked.method == "GET" and _FOR_JOBS.fullmatch(asked.path)):
            raise Refusal(401, "401 Unauthorized")
        if token == READ_TOKEN and asked.method != "GET":
            raise Refusal(403, {"error": "insufficient_scope", "scope": "api"})
        return self.tokens[token]

    def _answer(self, asked: Asked, user: User) -> tuple[int, Any]:
        if asked.path == "/api/v4/user":
            return 200, user.said
        if asked.path == "/api/v4/users":
            if email := asked.query.get("search"):
                return 200, [one.said for one in self.project.users if one.email in email]
            name = asked.query["username"][0].lower()
            return 200, [one.said for one in self.project.users if one.username.lower() == name]
        found = re.match(_PROJECT, asked.path)
        if not found or unquote(found["id"]) != self.project.path or not user.level:
            raise Refusal(404, "404 Project Not Found")
        rest = asked.path[found.end() :]
        for method, pattern, work in _ROUTES:
            place = re.fullmatch(pattern, rest)
            if place and asked.method == method:
                status = {"POST": 201, "DELETE": 204}.get(method, 200)
                return status, work(self.project, user, place.groupdict(), asked)
        return self._of_repository(asked, user, rest)

    def _of_repository(self, asked: Asked, user: User, rest: str) -> tuple[int, Any]:
        for method, pattern, act in _OF_REPOSITORY:
            place = re.fullmatch(pattern, rest)
            if place and self.repository and asked.method == method:
                status = {"POST": 201, "DELETE": 204}.get(method, 200)
                return status, act(self.repository, user, place.groupdict(), asked)
        raise Refusal(404, "404 Not Found")

    def _paged(self, asked: Asked, status: int, answer: Any) -> tuple[int, Any, dict[str, str]]:
        found = operation(asked.method, asked.path)
        if found:
            self.offences += answer_complaints(found[0], status, answer)
        if not isinstance(answer, list):
            return status, answer, {}
        size = int(asked.query.get("per_page", ["20"])[0])
        page = int(asked.query.get("page", ["1"])[0])
        part = answer[(page - 1) * size : page * size]
        if page * size >= len(answer):
            return status, part, {}
        site = self.named or self.url
        query = "&".join(
            f"{name}={values[0]}" for name, values in asked.query.items() if name != "page"
        )
        url = self.next_page or f"{site}{asked.path}?{query}&page={page + 1}"
        return status, part, {"Link": f'<{url}>; rel="next"'}


def _notes(project: Project, _user: User, _place: dict[str, str], asked: Asked) -> Any:
    only = project.filters and asked.query.get("activity_filter") == ["only_comments"]
    found = [one for one in project.notes if not (only and one["system"])]
    return found if asked.query.get("sort") == ["asc"] else found[::-1]


def _issues(project: Project, _user: User, _place: dict[str, str], asked: Asked) -> Any:
    author = asked.query.get("author_id") if project.filters else None
    return [one for one in project.issues if not author or one["author"]["id"] == int(author[0])]


def _statuses(project: Project, _user: User, place: dict[str, str], asked: Asked) -> Any:
    """The newest of each name; of a pipeline they have its ref."""
    known = [
        {"id": number, "status": one["state"], **{name: one[name] for name in ("sha", "name")}}
        | {"ref": project.branches.get(one.get("pipeline_id"), "")}
        for number, one in enumerate(project.statuses, start=1)
    ]
    wanted = {name: asked.query[name][0] for name in ("ref", "name") if name in asked.query}
    fitting = (one for one in known if wanted.items() <= one.items() and one["sha"] == place["sha"])
    return list({one["name"]: one for one in fitting}.values())


_MR = r"/merge_requests/7"
_NOTE = r"/notes/(?P<note>\d+)"
_THREAD = r"/discussions/(?P<thread>\w+)"
_Work = Callable[[Project, User, dict[str, str], Asked], Any]
_ROUTES: tuple[tuple[str, str, _Work], ...] = (
    ("GET", _MR, lambda p, u, at, a: p.request()),
    ("GET", f"{_MR}/diffs", lambda p, u, at, a: p.diffs()),
    ("GET", f"{_MR}/notes", _notes),
    ("GET", f"{_MR}/commits", lambda p, u, at, a: [{"author_email": one} for one in p.emails]),
    ("POST", f"{_MR}/notes", lambda p, u, at, a: p.write(u, a.body["body"])),
    ("PUT", _MR + _NOTE, lambda p, u, at, a: p.edit(u, p.note(int(at["note"])), a.body["body"])),
    ("DELETE", _MR + _NOTE, lambda p, u, at, a: p.delete(u, p.note(int(at["note"])))),
    (
        "POST",
        f"{_MR}{_NOTE}/award_emoji",
        lambda p, u, at, a: p.award(u, int(at["note"]), a.body["name"]),
    ),
    ("GET", f"{_MR}/discussions", lambda p, u, at, a: p.discussions),
    (
        "POST",
        f"{_MR}/discussions",
        lambda p, u, at, a: p.discuss(u, a.body["body"], a.body.get("position")),
    ),
    ("PUT", _MR + _THREAD, lambda p, u, at, a: p.resolve(u, at["thread"], a.body["resolved"])),
    (
        "POST",
        f"{_MR}{_THREAD}/notes",
        lambda p, u, at, a: p.reply(u, at["thread"], a.body["body"]),
    ),
    (
        "PUT",
        _MR + _THREAD + _NOTE,
        lambda p, u, at, a: p.edit(u, p.note(int(at["note"])), a.body["body"]),
    ),
    ("POST", r"/statuses/(?P<sha>\w+)", lambda p, u, at, a: p.set_status(u, at["sha"], a.body)),
    ("GET", r"/repository/commits/(?P<sha>\w+)/statuses", _statuses),
    ("GET", r"/members/all/(?P<user>\d+)", lambda p, u, at, a: p.member(int(at["user"]))),
    ("GET", "/issues", _issues),
    ("POST", "/issues", lambda p, u, at, a: p.create_issue(u, a.body)),
    (
        "PUT",
        r"/issues/(?P<issue>\d+)",
        lambda p, u, at, a: p.update_issue(int(at["issue"]), a.body),
    ),
)


_Act = Callable[[Repository, User, dict[str, str], Asked], Any]
_BRANCH = r"/repository/branches/(?P<name>[^/]+)"
_OF_REPOSITORY: tuple[tuple[str, str, _Act], ...] = (
    ("GET", _BRANCH, lambda r, u, at, a: r.branch(at["name"])),
    ("DELETE", _BRANCH, lambda r, u, at, a: r.remove(u, at["name"])),
    (
        "GET",
        r"/repository/files/(?P<path>[^/]+)",
        lambda r, u, at, a: r.file(at["path"], a.query["ref"][0]),
    ),
    ("POST", "/repository/commits", lambda r, u, at, a: r.commit(u, a.body)),
    ("GET", "/merge_requests", lambda r, u, at, a: r.listed(a.query)),
    ("POST", "/merge_requests", lambda r, u, at, a: r.open(u, a.body)),
    (
        "PUT",
        r"/merge_requests/(?P<number>\d+)",
        lambda r, u, at, a: r.edit(int(at["number"]), a.body),
    ),
)


class _Handler(BaseHTTPRequestHandler):
    site: GitLab
    protocol_version = "HTTP/1.1"
    # One packet an answer: otherwise the machine waits 40 ms before it sends the second.
    wbufsize = -1

    def _serve(self) -> None:
        parts = urlsplit(self.path)
        length = int(self.headers.get("Content-Length") or 0)
        asked = Asked(
            self.command,
            parts.path.removeprefix(self.site.folder),
            parse_qs(parts.query, keep_blank_values=True),
            parsed(self.rfile.read(length)),
            {name.lower(): value for name, value in self.headers.items()},
        )
        status, answer, headers = self.site.serve(asked)
        content = b"" if status == 204 else json.dumps(answer).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_PUT = do_DELETE = _serve  # noqa: N815

    def log_message(self, format: str, *args: Any) -> None:
        del format, args


@contextmanager
def running(site: GitLab) -> Iterator[GitLab]:
    """``site`` on a port of this machine."""
    handler = type("Handler", (_Handler,), {"site": site})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    site.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
