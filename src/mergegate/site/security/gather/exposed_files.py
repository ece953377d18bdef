"""Ask for paths that should not be public, and look for the marks of what they would hold.

A good status proves nothing: many sites answer every path with their start page. So each path has
a pattern that its first bytes have to match. Nothing is sent but small GET requests, no more than
two at a time, and nothing of what comes back is kept.
"""

import re
from dataclasses import dataclass, replace

from mergegate.core.web_address import root
from mergegate.sandbox.fetched import Fetched
from mergegate.sandbox.web import Request
from mergegate.site.security.facts import ProbedFile
from mergegate.site.security.gather.cookies import without_values
from mergegate.site.security.gather.patience import Web

_HTML = re.compile(
    rb"\s*(?:<!--.{0,200}?-->\s*)?<(?:!doctype|html|head|body)", re.IGNORECASE | re.DOTALL
)
_ARCHIVE = rb"\A(?:PK\x03\x04|\x1f\x8b\x08|BZh\d|7z\xbc\xaf\x27\x1c|Rar!\x1a\x07|.{257}ustar)"
_SQL = (
    rb"(?m)^(?:-- (?:MySQL|MariaDB|PostgreSQL|phpMyAdmin|SQLite)|CREATE TABLE|INSERT INTO"
    rb"|DROP TABLE IF EXISTS|/\*!\d{5} SET|PRAGMA foreign_keys)"
)
_ENV = rb"\A(?:[ \t]*(?:#[^\r\n]*)?\r?\n)*(?:export )?[A-Z][A-Z0-9_]{2,60}[ ]?=(?![=>])"
"""What is hostile may be anything: no two parts of a pattern may fit the same repeated bytes."""
_PHP_SOURCE = rb"<\?php[\s\S]*(?:DB_PASSWORD|DB_USER|\$table_prefix|define\s*\()"


@dataclass(frozen=True, slots=True)
class Path:
    """One path and what proves it."""

    path: str
    what: str
    """As :attr:`ProbedFile.what`."""
    proof: re.Pattern[bytes]
    pages: bool = False
    """Whether what is meant is itself a page of HTML."""


def _path(path: str, what: str, proof: bytes, *, pages: bool = False) -> Path:
    return Path(path, what, re.compile(proof), pages)


PATHS = (
    _path("/.git/HEAD", "git", rb"\A(?:ref: refs/[\w./-]{1,200}\s*\Z|[0-9a-f]{40}\s*\Z)"),
    _path("/.git/config", "git", rb"\A\s*\[core\]\s[\s\S]*repositoryformatversion"),
    _path("/.svn/entries", "svn", rb"\A(?:\d{1,2}\r?\n|<\?xml[\s\S]*<wc-entries)"),
    _path("/.svn/wc.db", "svn", rb"\ASQLite format 3\0"),
    _path("/.hg/requires", "mercurial", rb"\A(?:[a-z0-9-]+\n)*revlogv1\n"),
    _path("/.env", "env", _ENV),
    _path("/.env.local", "env", _ENV),
    _path("/.env.production", "env", _ENV),
    _path("/.env.backup", "env", _ENV),
    _path("/.DS_Store", "ds-store", rb"\A\0\0\0\x01Bud1"),
    _path("/.htpasswd", "htpasswd", rb"(?m)^[\w.@-]{1,64}:(?:\$(?:apr1|2[aby]|5|6)\$|\{SHA\})"),
    _path("/.aws/credentials", "credentials", rb"(?m)^\s*aws_secret_access_key\s*="),
    _path(
        "/.npmrc", "credentials", rb"(?m)^(?:.*:)?_(?:authToken|auth|password)[ \t]*=(?!\s*\$\{)"
    ),
    _path("/.netrc", "credentials", rb"(?m)^machine\s+\S+\s+login\s+\S+"),
    _path("/id_rsa", "private-key", rb"\A-----BEGIN (?:RSA |OPENSSH |EC )?PRIVATE KEY-----"),
    _path("/.ssh/id_rsa", "private-key", rb"\A-----BEGIN (?:RSA |OPENSSH |EC )?PRIVATE KEY-----"),
    _path("/wp-config.php~", "backup", _PHP_SOURCE),
    _path("/wp-config.php.bak", "backup", _PHP_SOURCE),
    _path("/config.php.bak", "backup", rb"<\?php"),
    _path("/backup.zip", "backup", _ARCHIVE),
    _path("/backup.tar.gz", "backup", _ARCHIVE),
    _path("/backup.sql", "dump", _SQL),
    _path("/dump.sql", "dump", _SQL),
    _path("/database.sql", "dump", _SQL),
    _path(
        "/docker-compose.yml",
        "deployment",
        rb"(?m)^services:[ \t\r]*$[\s\S]*^[ \t]+(?:image|build):",
    ),
    _path(
        "/phpinfo.php", "phpinfo", rb"<title>(?:PHP \d[\w.+-]* - )?phpinfo\(\)</title>", pages=True
    ),
    _path("/info.php", "phpinfo", rb"<title>(?:PHP \d[\w.+-]* - )?phpinfo\(\)</title>", pages=True),
    _path("/server-status", "server-status", rb"<title>Apache Status</title>", pages=True),
    _path("/actuator/env", "actuator", rb"\A\s*\{\s*\"activeProfiles\"\s*:\s*\["),
    _path("/elmah.axd", "error-log", rb"<title>Error log for ", pages=True),
    _path(
        "/storage/logs/laravel.log",
        "error-log",
        rb"(?m)^\[\d{4}-\d\d-\d\d[ T][\d:.+-]{8,20}\] \w+\.\w+:",
    ),
    _path("/WEB-INF/web.xml", "web-inf", rb"<web-app[\s>]"),
)
"""Swagger pages, robots.txt and the like are public on purpose and not among them."""


def probed_files(page: str, web: Web, most_bytes: int, at_once: int) -> tuple[ProbedFile, ...]:
    """Every path that was there, whether it is what it is called or not; bodies left out."""
    base = root(page)
    span = (("Range", f"bytes=0-{most_bytes - 1}"),)
    requests = [
        Request(f"{base}{one.path}", headers=span, most_bytes=most_bytes, follow=False)
        for one in PATHS
    ]
    answers = zip(PATHS, web.many(requests, at_once=at_once), strict=True)
    return tuple(_read(path, fetched) for path, fetched in answers if fetched.ok)


def is_proved(path: Path, body: bytes) -> bool:
    """Whether ``body`` has the marks of what ``path`` would hold."""
    if not path.pages and _HTML.match(body):
        return False
    return path.proof.search(body) is not None


def _read(path: Path, fetched: Fetched) -> ProbedFile:
    proved = is_proved(path, fetched.body)
    kept = without_values(replace(fetched, body=b"", text=""))
    return ProbedFile(path=path.path, what=path.what, fetched=kept, proved=proved)
