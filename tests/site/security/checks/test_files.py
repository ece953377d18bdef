"""Exposed files and security.txt: what was proved or served, and exactly what is found."""

import pytest

from mergegate.sandbox.fetched import Fetched
from mergegate.site.security.checks import files
from mergegate.site.security.facts import ProbedFile
from mergegate.site.security.gather.server import PATHS, ProbedPath, is_proved
from tests.site.security.checks.seen import facts, fetched, told


def _file(path: str, what: str, *, proved: bool = True) -> ProbedFile:
    url = f"https://www.example.org{path}"
    return ProbedFile(path=path, what=what, fetched=fetched(url), proved=proved)


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        ([], []),
        ([_file("/.env", "env")], [("exposed-env", "critical")]),
        ([_file("/.env", "env", proved=False)], []),
        ([_file("/.DS_Store", "ds-store"), _file("/.git/HEAD", "git")],
         [("exposed-git", "high"), ("exposed-ds-store", "low")]),
        ([_file("/phpinfo.php", "phpinfo")], [("exposed-phpinfo", "medium")]),
        ([_file("/new", "something new")], []),
    ],
)  # fmt: skip
def test_an_exposed_file_is(seen: list[ProbedFile], expected: list[tuple[str, str]]) -> None:
    assert told(files.flaws(facts(files=tuple(seen)))) == expected


def test_one_folder_is_one_flaw() -> None:
    seen = (_file("/.git/HEAD", "git"), _file("/.git/config", "git"))
    (flaw,) = files.flaws(facts(files=seen))
    assert (flaw.count, flaw.evidence) == (2, "/.git/HEAD, /.git/config")
    assert flaw.url == "https://www.example.org/.git/HEAD"


def test_every_kind_that_is_asked_for_has_a_judgement() -> None:
    seen = tuple(_file(one.path, one.what) for one in PATHS)
    found = list(files.flaws(facts(files=seen)))
    assert sum(one.count for one in found) == len(PATHS)
    assert all(one.cwe and one.owasp and one.remedy for one in found)


HOSTILE = (
    b"\n" * 1023,
    b"#\r\n" * 341,
    b" \n" * 512,
    b"services:\n" + b"\n" * 1000,
    b"services:\n " * 90,
    b"machine " * 128,
    b"<?ph" * 250,
    b"<?xml" * 200,
    b"[core] " * 140,
    b"<!--" * 256,
    b":" * 1024,
    b"a-b" * 340,
)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.path)
def test_no_body_keeps_a_pattern_busy(path: ProbedPath) -> None:
    assert not any(is_proved(path, body + b"!") for body in HOSTILE)


PAGE = b"<!doctype html><title>Shop</title><pre>ref: refs/heads/main\nA_B=1</pre>"
PROOFS = {
    "/.git/HEAD": (b"ref: refs/heads/main\n", b"ref"),
    "/.git/config": (b"[core]\n\trepositoryformatversion = 0\n", b"[core]\n"),
    "/.svn/entries": (b"12\n", b"12 monkeys"),
    "/.svn/wc.db": (b"SQLite format 3\0\x10", b"SQLite"),
    "/.hg/requires": (b"dotencode\nfncache\nrevlogv1\nstore\n", b"store\n"),
    "/.env": (b"# x\nAPP_ENV=production\nDB_PASSWORD=a\n", b"hello = world"),
    "/.env.local": (b"export API_KEY=1\n", b"Not found"),
    "/.env.production": (b"\nAPI_KEY = 1", b'{"A_B":1}'),
    "/.env.backup": (b"API_KEY=1", b"var API_KEY=1"),
    "/.DS_Store": (b"\0\0\0\x01Bud1\0", b"Bud1"),
    "/.htpasswd": (b"admin:$apr1$abcdefgh$xyz\n", b"admin:Sales"),
    "/.aws/credentials": (b"[default]\naws_secret_access_key = a", b"[default]\n"),
    "/.npmrc": (b"//registry.example.org/:_authToken=a", b"//r.example.org/:_authToken=${TOKEN}"),
    "/.netrc": (b"machine example.org login me password x", b"machine learning"),
    "/id_rsa": (b"-----BEGIN OPENSSH PRIVATE KEY-----\n", b"-----BEGIN PUBLIC KEY-----\n"),
    "/.ssh/id_rsa": (b"-----BEGIN RSA PRIVATE KEY-----\n", b"ssh-rsa AAAA"),
    "/wp-config.php~": (b"<?php\ndefine( 'DB_NAME', 'x' );", b"<?php echo 1;"),
    "/wp-config.php.bak": (b"<?php\n$table_prefix = 'wp_';", b"wp"),
    "/config.php.bak": (b"<?php $a = 1;", b"php"),
    "/backup.zip": (b"PK\x03\x04\x14\0", b"PK"),
    "/backup.tar.gz": (b"\x1f\x8b\x08\0", b"\x1f\x8b"),
    "/backup.sql": (b"-- MySQL dump 10.13\n", b"-- notes"),
    "/dump.sql": (b"CREATE TABLE visitors (", b"How to CREATE TABLE"),
    "/database.sql": (b"--\n-- PostgreSQL database dump\n--\n", b"select 1"),
    "/docker-compose.yml": (b"services:\n  web:\n    image: nginx\n", b"services: all\n"),
    "/phpinfo.php": (
        b"<html><head><title>PHP 8.2.1 - phpinfo()</title>",
        b"<title>phpinfo</title>",
    ),
    "/info.php": (b"<!DOCTYPE html><title>phpinfo()</title>", b"<title>Info</title>"),
    "/server-status": (b"<html><head><title>Apache Status</title>", b"<title>Status</title>"),
    "/actuator/env": (b'{"activeProfiles":["prod"]', b'{"status":"UP"}'),
    "/elmah.axd": (b"<html><title>Error log for ROOT on WEB1</title>", b"<title>Error</title>"),
    "/storage/logs/laravel.log": (b"[2026-01-01 10:00:00] production.ERROR: x", b"[1] log"),
    "/WEB-INF/web.xml": (b'<?xml version="1.0"?>\n<web-app version="4">', b"<web>"),
}


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.path)
def test_a_path_is_proved_by_what_it_holds_alone(path: ProbedPath) -> None:
    held, other = PROOFS[path.path]
    assert is_proved(path, held)
    assert not is_proved(path, other)
    assert not is_proved(path, PAGE)
    assert not is_proved(path, b"")


PLACE = "https://www.example.org/.well-known/security.txt"
GOOD = "Contact: mailto:security@example.org\nExpires: 2027-06-01T00:00:00Z\n"


def served(text: str, place: str = PLACE, status: int = 200, kind: str = "text/plain") -> Fetched:
    return fetched(place, text=text, status=status, headers={"content-type": kind})


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        (served(GOOD), []),
        (served(f"# our policy: x\r\n{GOOD}".replace("\n", "\r\n")), []),
        (served(f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n{GOOD}"), []),
        (served("contact: https://example.org/report\nexpires: 2027-01-01T00:00:00.000+01:00"), []),
        (served("", status=404), [("security-txt-missing", "info")]),
        (served("<!doctype html><p>Contact: us"), [("security-txt-missing", "info")]),
        (served("hello"), [("security-txt-missing", "info")]),
        (served("", status=403), []),
        (served("", status=503), []),
        (served("Contact: mailto:a@example.org\n"), [("security-txt-without-expires", "low")]),
        (served(f"{GOOD}Expires: 2027-07-01T00:00:00Z\n"),
         [("security-txt-without-expires", "low")]),
        (served(GOOD.replace("2027-06-01T00:00:00Z", "next year")),
         [("security-txt-without-expires", "low")]),
        (served(GOOD.replace("2027", "2025")), [("security-txt-expired", "low")]),
        (served("Expires: 2027-06-01T00:00:00Z\n"), [("security-txt-without-contact", "low")]),
        (served("Contact:\nExpires: 2027-06-01T00:00:00Z\n"),
         [("security-txt-without-contact", "low")]),
        (served(GOOD, kind="application/octet-stream"), [("security-txt-content-type", "low")]),
        (served(GOOD, place="https://www.example.org/security.txt"),
         [("security-txt-misplaced", "info")]),
    ],
)  # fmt: skip
def test_security_txt_is(seen: Fetched, expected: list[tuple[str, str]]) -> None:
    assert told(files.flaws(facts(security_txt=seen))) == expected


def test_a_preview_needs_none() -> None:
    assert told(files.flaws(facts(security_txt=served("", status=404), local=True))) == []


def test_what_was_not_asked_for_is_not_missing() -> None:
    assert told(files.flaws(facts())) == []
