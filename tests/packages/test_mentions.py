"""Whether files name a package, beside those that declare it."""

from dataclasses import replace
from pathlib import Path

import pytest

from mergegate.core.severity import Confidence, Severity
from mergegate.core.tree import Link, Skipped
from mergegate.packages.dependencies import Package, Use, Vulnerabilities, VulnerablePackage
from mergegate.packages.mentions import mentions
from mergegate.packages.uses import Uses
from mergegate.repo.checks.advisories.vulnerable import severity_of, vulnerable_dependency
from tests.packages.dependency_tree import written

NAMED = {
    # ecosystem, package, a file and its text
    "an import": ("PyPI", "requests", "a.py", "from requests.adapters import HTTPAdapter"),
    "a module of another name": ("PyPI", "pyyaml", "a.py", "import yaml"),
    "a setting": ("PyPI", "djangorestframework", "s.py", "APPS = ['rest_framework']"),
    "a command": ("PyPI", "gunicorn", "Dockerfile", 'CMD ["gunicorn", "app:app"]'),
    "a hyphen": ("PyPI", "flask-login", "a.py", "import flask_login"),
    "require": ("npm", "lodash", "a.js", "const _ = require('lodash/merge')"),
    "a script": ("npm", "webpack", "package.json", '{"scripts": {"build": "webpack"}}'),
    "types": ("npm", "@types/lodash", "a.ts", "import _ from 'lodash'"),
    "a group": ("Maven", "org.jsoup:jsoup", "A.java", "import org.jsoup.Jsoup;"),
    "an artifact": ("Maven", "commons-io:commons-io", "A.java", "import org.apache.commons.io.*;"),
    "a driver": ("Maven", "mysql:mysql-connector-java", "a.properties", "url=jdbc:mysql://db"),
    "a namespace": ("NuGet", "newtonsoft.json", "A.cs", "using Newtonsoft.Json.Linq;"),
    "a family": ("NuGet", "serilog.sinks.console", "A.cs", "using Serilog.Sinks;"),
    "a crate": ("crates.io", "serde-json", "a.rs", "use serde_json::Value;"),
}
UNNAMED = {
    "a manifest": ("PyPI", "requests", "requirements.txt", "requests==2.0"),
    "a lock file": ("npm", "lodash", "yarn.lock", "lodash@^4:"),
    "a declaration": ("npm", "lodash", "package.json", '{"dependencies": {"lodash": "^4"}}'),
    "prose": ("PyPI", "requests", "README.md", "We use requests."),
    "nothing": ("Maven", "org.jsoup:jsoup", "A.java", "class A {}"),
    "a project": ("NuGet", "dapper", "A.csproj", '<PackageReference Include="Dapper"/>'),
    "a pom": ("Maven", "org.jsoup:jsoup", "pom.xml", "<artifactId>jsoup</artifactId>"),
}


def code(folder: Path) -> None:
    """A file each that uses nothing."""
    for name in ("x.py", "x.ts", "X.java", "x.rs", "X.cs"):
        (folder / name).write_text("\n")


@pytest.mark.parametrize(("ecosystem", "name", "path", "text"), NAMED.values(), ids=NAMED)
def test_a_file_that_names_the_package_is_seen(
    ecosystem: str, name: str, path: str, text: str, tmp_path: Path
) -> None:
    code(tmp_path)
    (tmp_path / path).write_text(text)
    assert mentions(written(tmp_path), [(ecosystem, name)]) == {(ecosystem, name): True}


@pytest.mark.parametrize(("ecosystem", "name", "path", "text"), UNNAMED.values(), ids=UNNAMED)
def test_what_declares_or_describes_it_does_not_use_it(
    ecosystem: str, name: str, path: str, text: str, tmp_path: Path
) -> None:
    code(tmp_path)
    (tmp_path / path).write_text(text)
    assert mentions(written(tmp_path), [(ecosystem, name)]) == {(ecosystem, name): False}


def test_without_code_nothing_is_said(tmp_path: Path) -> None:
    tree = written(tmp_path, requirements__txt="requests==2.0\n", a__java="class A {}")
    assert mentions(tree, [("PyPI", "requests")]) == {}


def test_nothing_is_said_where_a_file_was_left_out_or_names_are_unknown(tmp_path: Path) -> None:
    tree = written(tmp_path, a__py="x")
    asked = [("PyPI", "requests")]
    assert mentions(replace(tree, skipped=(Skipped("b.py", "larger"),)), asked) == {}
    assert mentions(replace(tree, links=(Link("c.py", "/x", escapes=True),)), asked) == {}
    assert mentions(tree, [("RubyGems", "rack"), ("Acme", "x")]) == {}


def matched(**package: object) -> VulnerablePackage:
    told = {"ecosystem": "PyPI", "name": "requests", "written": "requests", "version": "2.0"}
    return VulnerablePackage(
        package=Package(**{**told, "file": "requirements.txt", "direct": True, **package}),  # type: ignore[arg-type]
        id="GHSA-2222-3333-4444",
        severity="high",
    )


def test_only_what_a_manifest_names_is_asked_about(tmp_path: Path) -> None:
    tree = written(tmp_path, a__py="import os")
    told = Uses(tree).uses([matched(), matched(direct=False), matched(direct=None)])
    assert told == [Use.NOT_HERE, Use.UNKNOWN, Use.UNKNOWN]


def test_what_nothing_names_weighs_a_step_less_and_says_so() -> None:
    unused = replace(matched(), use=Use.NOT_HERE)
    assert severity_of(matched()) is Severity.HIGH
    assert severity_of(unused) is Severity.MEDIUM
    (found,) = vulnerable_dependency(Vulnerabilities((unused,)))
    assert "No file here names it but those that declare it" in found.message
    assert found.confidence is Confidence.HIGH
    exploited = replace(unused, known_exploited=True)
    assert severity_of(exploited) is Severity.HIGH


def test_functions_of_a_crate_that_the_advisory_names_are_looked_for(tmp_path: Path) -> None:
    crate = matched(ecosystem="crates.io", name="ammonia", written="ammonia", file="Cargo.lock")
    tree = written(tmp_path, a__rs="use ammonia::clean;\n")
    called, other, whole = (replace(crate, symbols=one) for one in (("clean",), ("cl",), ()))
    assert Uses(tree).uses([called, other, whole]) == [Use.HERE, Use.NOT_CALLED, Use.HERE]
