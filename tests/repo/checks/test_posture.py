"""Risks of the repository: tables of names and traces that count and of those that do not."""

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from mergegate.core.finding import Finding, Place
from mergegate.core.severity import Category, Kind, Severity
from mergegate.core.tree import Link, Role, Skipped, SourceFile, Tree
from mergegate.repo.checks.posture import contents, hidden
from mergegate.repo.facts.code import FileMarkers, MarkedFile, Marker, MarkerKind, Markers

TreeRule = Callable[..., Iterable[Finding]]
MarkerRule = Callable[..., Iterable[Finding]]


def file(path: str, size: int = 10, role: Role = Role.SOURCE) -> SourceFile:
    return SourceFile(path=path, location=Path(path), size=size, digest="0", role=role)


def tree(*paths: str, links: tuple[Link, ...] = (), skipped: tuple[Skipped, ...] = ()) -> Tree:
    return Tree(tuple(file(path) for path in paths), skipped, links)


@pytest.mark.parametrize(
    ("rule", "path"),
    [
        (contents.committed_archive, "assets/data.zip"),
        (contents.committed_archive, "lib/tool.jar"),
        (contents.committed_archive, "wheels/a-1.0-py3-none-any.whl"),
        (contents.committed_archive, "backup.tar.gz"),
        (contents.committed_binary, "bin/tool.exe"),
        (contents.committed_binary, "lib/native.so.1.2"),
        (contents.committed_binary, "src/a.pyc"),
        (contents.committed_binary, "Main.class"),
        (contents.committed_build_output, "node_modules/left-pad/index.js"),
        (contents.committed_build_output, "backend/.venv/lib/site.py"),
        (contents.committed_build_output, "src/__pycache__/a.py"),
        (contents.sensitive_file, ".env"),
        (contents.sensitive_file, "deploy/.env.production"),
        (contents.sensitive_file, "www/.htpasswd"),
        (contents.sensitive_file, "keys/id_rsa"),
        (contents.sensitive_file, "infra/terraform.tfstate"),
        (contents.sensitive_file, "home/.bash_history"),
        (contents.sensitive_file, "tls/server_private.pem"),
    ],
)
def test_names_that_count(rule: TreeRule, path: str) -> None:
    (finding,) = rule(tree("a.py", path))
    assert (finding.severity, finding.kind) == (Severity.LOW, Kind.RISK)
    assert path.startswith(finding.place.file)


@pytest.mark.parametrize(
    ("rule", "path"),
    [
        (contents.committed_archive, "src/zip.py"),
        (contents.committed_archive, "gradle/wrapper/gradle-wrapper.jar"),
        (contents.committed_archive, "data/points.csv.gz"),
        (contents.committed_archive, "docs/about.zip.md"),
        (contents.committed_binary, "src/dll.py"),
        (contents.committed_binary, "logo.png"),
        (contents.committed_binary, "so/readme"),
        (contents.committed_build_output, "src/venv.py"),
        (contents.committed_build_output, "build/a.py"),
        (contents.sensitive_file, ".env.example"),
        (contents.sensitive_file, ".env.sample"),
        (contents.sensitive_file, "src/env.py"),
        (contents.sensitive_file, ".envrc.md"),
        (contents.sensitive_file, "keys/id_rsa.pub"),
        (contents.sensitive_file, "certs/ca.pem"),
    ],
)
def test_names_that_do_not(rule: TreeRule, path: str) -> None:
    assert list(rule(tree("a.py", path))) == []


@pytest.mark.parametrize("path", ["tests/data/a.zip", "docs/a.zip", "examples/x/a.war"])
def test_what_an_archive_is_for_weighs_and_not_where_it_lies(path: str) -> None:
    (named,) = contents.committed_archive(tree(path))
    (shown,) = contents.committed_archive(Tree((file(path, role=Role.TEST),)))
    assert (named.severity, shown.severity) == (Severity.LOW, Severity.INFO)


def test_a_bundlers_fixture_of_node_modules_is_for_information() -> None:
    fixture = file("test/node_modules/a/index.js", role=Role.TEST)
    (finding,) = contents.committed_build_output(Tree((fixture,)))
    assert finding.severity is Severity.INFO


@pytest.mark.parametrize("path", ["tests/.htpasswd", "docs/id_rsa"])
def test_a_tests_file_for_secrets_is_left_out(path: str) -> None:
    (named,) = contents.sensitive_file(tree(path))
    assert named.severity is Severity.LOW
    assert list(contents.sensitive_file(Tree((file(path, role=Role.TEST),)))) == []


def test_many_archives_make_one_finding_that_leads_with_what_counts() -> None:
    tests = [file(f"tests/{n}.zip", role=Role.TEST) for n in range(4)]
    product = [file(f"lib/{n}.zip") for n in range(4)]
    (finding,) = contents.committed_archive(Tree((*tests, *product)))
    assert finding.place == Place("lib/0.zip")
    assert "lib/0.zip, lib/1.zip, lib/2.zip, lib/3.zip, tests/0.zip and 3 more:" in finding.message


def test_another_archive_makes_the_finding_new() -> None:
    (before,) = contents.committed_archive(tree("a.zip"))
    (after,) = contents.committed_archive(tree("a.zip", "b.zip"))
    assert before.evidence != after.evidence


def test_an_archive_too_large_to_scan_counts() -> None:
    (finding,) = contents.committed_archive(tree(skipped=(Skipped("a.zip", "large", 9 << 20),)))
    assert finding.place.file == "a.zip"


def test_build_output_names_the_folder_and_counts_its_files() -> None:
    (finding,) = contents.committed_build_output(tree("node_modules/a.js", "node_modules/b.js"))
    assert finding.message.startswith("node_modules: 2 files there")


def test_an_empty_file_holds_no_secret() -> None:
    assert list(contents.sensitive_file(Tree((file(".env", size=0),)))) == []


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        (Link("a", "/etc/passwd", escapes=True), [Severity.LOW]),
        (Link("tests/a", "../../b", escapes=True), [Severity.INFO]),
        (Link("examples/a", "../../b", escapes=True), [Severity.LOW]),
        (Link("a", "b", escapes=False), []),
    ],
)
def test_links_out_of_the_repository(link: Link, expected: list[Severity]) -> None:
    beside = (file("tests/test_a.py", role=Role.TEST), file("examples/b.py"))
    found = contents.escaping_link(Tree(beside, links=(link,)))
    assert [finding.severity for finding in found] == expected


@pytest.mark.parametrize(("size", "count"), [(5 << 20, 0), ((5 << 20) + 1, 1)])
def test_large_files_are_for_information(size: int, count: int) -> None:
    found = list(contents.large_file(Tree((), (Skipped("a.bin", "large", size),))))
    assert [finding.severity for finding in found] == [Severity.INFO] * count


@pytest.mark.parametrize(
    ("path", "count"), [("a\\xff.py", 1), ("a\\nb.py", 1), ("é/ü.py", 0), ("a b.py", 0)]
)
def test_names_that_tools_read_differently(path: str, count: int) -> None:
    assert len(list(contents.undecodable_name(tree(path)))) == count


@pytest.mark.parametrize(
    ("rule", "path", "missing"),
    [
        (contents.missing_security_policy, "SECURITY.md", False),
        (contents.missing_security_policy, ".github/SECURITY.md", False),
        (contents.missing_security_policy, "docs/security.rst", False),
        (contents.missing_security_policy, "src/security.py", True),
        (contents.missing_licence, "LICENSE", False),
        (contents.missing_licence, "LICENCE.txt", False),
        (contents.missing_licence, "COPYING", False),
        (contents.missing_licence, "LICENSES/MIT.txt", False),
        (contents.missing_licence, "src/LICENSE", True),
        (contents.missing_licence, "licensed.py", True),
    ],
)
def test_papers(rule: TreeRule, path: str, missing: bool) -> None:
    assert [finding.severity for finding in rule(tree(path))] == [Severity.INFO] * missing


def test_nothing_is_missing_from_nothing() -> None:
    assert list(contents.missing_licence(tree())) == []


def marked(kind: MarkerKind, role: Role, what: str = "U+202E", tool: str = "") -> Markers:
    markers = (Marker(4, kind, what, tool), Marker(9, kind, what, tool))
    return Markers((MarkedFile("a.py", role, "python", FileMarkers(markers)),))


@pytest.mark.parametrize(
    ("rule", "kind", "role", "expected"),
    [
        (hidden.bidirectional_control, MarkerKind.BIDI, Role.SOURCE, Severity.HIGH),
        (hidden.bidirectional_control, MarkerKind.BIDI, Role.TEST, Severity.INFO),
        (hidden.bidirectional_control, MarkerKind.BIDI_BESIDE_TEXT, Role.SOURCE, Severity.LOW),
        (hidden.bidirectional_control, MarkerKind.BIDI_HARMLESS, Role.SOURCE, Severity.INFO),
        (hidden.invisible_character, MarkerKind.INVISIBLE, Role.SOURCE, Severity.MEDIUM),
        (hidden.invisible_character, MarkerKind.INVISIBLE, Role.VENDORED, Severity.INFO),
        (hidden.reviewer_injection, MarkerKind.INJECTION, Role.SOURCE, Severity.LOW),
        (hidden.reviewer_injection, MarkerKind.INJECTION, Role.DOCS, Severity.LOW),
        (hidden.reviewer_injection, MarkerKind.INJECTION, Role.TEST, Severity.INFO),
        (hidden.reviewer_injection, MarkerKind.HIDDEN_TEXT, Role.DOCS, Severity.MEDIUM),
    ],
)
def test_what_hides_weighs_by_role(
    rule: MarkerRule, kind: MarkerKind, role: Role, expected: Severity
) -> None:
    (finding,) = rule(marked(kind, role))
    assert finding.severity is expected
    assert finding.place == Place("a.py", 4, 4)
    assert finding.category is Category.SECURITY


@pytest.mark.parametrize(
    ("tool", "role", "count"),
    [
        ("bandit", Role.SOURCE, 1),
        ("semgrep", Role.SOURCE, 1),
        ("bandit", Role.TEST, 0),
        ("eslint", Role.SOURCE, 0),
        ("java", Role.SOURCE, 0),
    ],
)
def test_silenced_security_tools_are_for_information(tool: str, role: Role, count: int) -> None:
    found = list(hidden.inline_suppression(marked(MarkerKind.SUPPRESSION, role, "nosec", tool)))
    assert [finding.severity for finding in found] == [Severity.INFO] * 2 * count


def test_each_silenced_line_is_told_with_the_reason() -> None:
    words = [("nosec", "bandit", ""), ("noqa: S608", "ruff", "fixed names")]
    found = [Marker(4, MarkerKind.SUPPRESSION, what, tool, why) for what, tool, why in words]
    found.append(Marker(9, MarkerKind.SUPPRESSION, "nosec", "bandit"))
    here = Markers((MarkedFile("a.py", Role.SOURCE, "python", FileMarkers(tuple(found))),))
    first, second = hidden.inline_suppression(here)
    assert (first.place.start_line, second.place.start_line) == (4, 9)
    assert "silences bandit and ruff here, for this reason: fixed names." in first.message
    assert "silences bandit here, without a reason." in second.message
