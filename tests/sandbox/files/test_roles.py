"""What a file is for: evidence of every kind, and names that are none."""

import base64
import hashlib
from collections.abc import Mapping
from pathlib import Path

import pytest

from mergegate.core.roles import imports
from mergegate.core.tree import Role, Tree
from mergegate.sandbox.files.checkout import read_tree
from mergegate.sandbox.files.roles import with_roles, with_roles_of_change

PYPROJECT = '[build-system]\nrequires = ["hatchling"]\n[project]\nname = "app"\n'
PACKAGE = '{\n  "name": "app",\n  "version": "1.0.0",\n  "files": ["lib/"]\n}\n'
PYTEST = "import pytest\n\n\ndef test_a():\n    assert 1\n"
RECORD_SIX = base64.urlsafe_b64encode(hashlib.sha256(b"six = 6\n").digest()).decode().rstrip("=")


def laid(folder: Path, texts: Mapping[str, str]) -> Tree:
    for path, text in texts.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return read_tree(folder)


def roles(folder: Path, texts: Mapping[str, str]) -> dict[str, str]:
    """Path → role of all that is not source."""
    tree = with_roles(laid(folder, texts))
    return {file.path: file.role.value for file in tree.files if file.role is not Role.SOURCE}


OWN_TEXT = {
    "pytest": ("test_a.py", PYTEST),
    "unittest": ("tests/a.py", "import unittest\nclass A(unittest.TestCase): ...\n"),
    "collected": ("test_a.py", "def test_a():\n    assert f()\n"),
    "own base class": (
        "app/tests/test_a.py",
        "class A(core.Case):\n    def test_b(self):\n        self.assertTrue(b())\n",
    ),
    "conftest": ("conftest.py", "import pytest\n"),
    "globals": ("test/a.js", "describe('a', () => {\n  it('b', () => {});\n});\n"),
    "vitest": ("a.test.ts", "import { test } from 'vitest';\ntest('a', () => {});\n"),
    "types": ("test/a.tst.ts", "import { expect } from 'tstyche'\nexpect(a()).type.toBe<A>()\n"),
    "node": ("a-test.mjs", "import test from 'node:test';\ntest('a', () => {});\n"),
    "go": ("a_test.go", "package a\n"),
    "go-support": (
        "apptest/a.go",
        'package apptest\n\nimport (\n\t"testing"\n)\n\nfunc A(t *testing.T) {}\n',
    ),
    "junit": ("ATest.java", "import org.junit.Test;\nclass A {\n  @Test\n  void b() {}\n}\n"),
    "xunit": ("A.Tests/A.cs", "using Xunit;\nclass A {\n  [Fact]\n  void B() {}\n}\n"),
    "rspec": ("spec/a.rb", "require 'spec_helper'\ndescribe A do\nend\n"),
    "phpunit": ("ATest.php", "<?php\nclass A extends TestCase {\n  function testB() {}\n}\n"),
    "xctest": ("Tests/A.swift", "import XCTest\nclass A: XCTestCase {}\n"),
    "gtest": ("a_test.cc", "#include <gtest/gtest.h>\nTEST(A, b) {}\n"),
}


@pytest.mark.parametrize("name", OWN_TEXT)
def test_a_test_is_what_uses_a_test_framework(name: str, tmp_path: Path) -> None:
    path, text = OWN_TEXT[name]
    assert roles(tmp_path, {path: text}) == {path: "test"}


def test_no_application_is_a_test_by_lines_of_one(tmp_path: Path) -> None:
    ends = {path.rpartition(".")[2]: text for path, text in OWN_TEXT.values()}
    assert roles(tmp_path, {f"app.{end}": text for end, text in ends.items()}) == {}


NO_TESTS = {
    "test_a.py": "def test_connection():\n    return run(request.args['q'])\n",
    "tests/app.py": "run(request.args['q'])\n",
    "plugin.py": "import pytest\n\n\ndef pytest_configure(config): ...\n",
    "app.test.js": "app.get('/', (req, res) => db.query(req.query.q));\n",
    "src/test/App.java": "class App {}\n",
    "man/app.1": "password = hunter2\n.TH\n",
    "app.conf": '.TH "APP" "1"\n',
    "apptest/a.go": "package apptest\n\nfunc A() {}\n",
    "server/a.go": 'package server\n\nimport (\n\t"testing"\n)\n\nfunc A(t *testing.T) {}\n',
    "latest/a.go": 'package latest\n\nimport "net/http/httptest"\n\nvar r httptest.Recorder\n',
    "relay/test/a.go": 'package relaytest\n\nimport "net/http/httptest"\n',
    "src/main/java/test/Server.java": "import org.junit.Assume;\nclass Server {}\n",
    "test/b.go": 'package main\n\nimport "net/http/httptest"\n\nvar s = httptest.NewServer(nil)\n',
    "other/PKG-INFO": "password = hunter2\n",
    "notes.txt": "password = hunter2\n" * 20,
    "words.txt": "line\n" * 50,
    "readme.py": "run()\n",
    "docs/conf.py": "run()\n",
    "examples/app.py": "run()\n",
    "vendor/app.py": "run()\n",
    "jquery-3.7.1.min.js": "run();\n",
    "app_pb2.py": "# DO NOT EDIT\nrun()\n",
}


def test_a_name_or_a_word_alone_tells_nothing(tmp_path: Path) -> None:
    assert roles(tmp_path, NO_TESTS) == {}


MANUAL = '.\\" Generated\n.\n.TH "APP" "1"\n.SH NAME\napp\n'


def test_prose_is_documentation(tmp_path: Path) -> None:
    words = "This is how the program reads its settings from a file. " * 5
    texts = {
        "README.md": "x",
        "docs/a.rst": "x",
        "NOTES": words,
        "about.txt": words,
        "man/app.1": MANUAL,
        "PKG-INFO": "Metadata-Version: 2.4\nName: app\n",
    }
    assert set(roles(tmp_path, texts).values()) == {"docs"}


def test_a_page_of_a_manual_is_no_program_of_its_name(tmp_path: Path) -> None:
    """``app.1`` describes ``app``: what runs the program does not run its page."""
    texts = {"app.1": MANUAL, "Dockerfile": "FROM a\nCOPY --from=b /app /usr/bin/\nCMD app\n"}
    assert roles(tmp_path, texts) == {"app.1": "docs"}


def test_a_page_of_a_manual_that_a_deployment_names_is_in_use(tmp_path: Path) -> None:
    texts = {"app.1": MANUAL, "Dockerfile": "FROM a\nCOPY app.1 /etc/app.env\n"}
    assert roles(tmp_path, texts) == {}


PLACES: dict[str, tuple[dict[str, str], str, str, str]] = {
    # files that are evidence, what they speak of, its role, and what lies beside it
    "npm": (
        {"node_modules/x/package.json": '{"name": "x", "version": "1.0.0"}'},
        "node_modules/x/index.js",
        "vendored",
        "node_modules/y/index.js",
    ),
    "go vendor": (
        {"vendor/modules.txt": "# example.org/x v1.0.0\nexample.org/x\n"},
        "vendor/example.org/x/a.go",
        "vendored",
        "vendor/example.org/y/a.go",
    ),
    "go vendor without its list": (
        {"go.mod": "module x\n\nrequire (\n\texample.org/x/v2 v2.1.0 // indirect\n)\n"},
        "vendor/example.org/x/v2/infra.json",
        "vendored",
        "vendor/example.org/y/infra.json",
    ),
    "submodule": (
        {".gitmodules": '[submodule "curl"]\n\tpath = third_party/curl\n\turl = ../curl.git\n'},
        "third_party/curl/a.yml",
        "vendored",
        "third_party/curly/a.yml",
    ),
    "composer": (
        {"vendor/composer/installed.json": '{"packages": [{"name": "a/b"}]}'},
        "vendor/a/b/c.php",
        "vendored",
        "vendor/a/d/c.php",
    ),
    "phive": (
        {".phive/phars.xml": '<phive>\n  <phar name="a" location="./tools/a"/>\n</phive>'},
        "tools/a",
        "vendored",
        "tools/b",
    ),
    "pip": (
        {"app/_vendor/vendor.txt": "six==1.16.0\n"},
        "app/_vendor/six.py",
        "vendored",
        "app/_vendor/seven.py",
    ),
    "cargo": (
        {"vendor/x/.cargo-checksum.json": "{}"},
        "vendor/x/lib.rs",
        "vendored",
        "vendor/y/lib.rs",
    ),
    "testpaths": (
        {"pyproject.toml": '[tool.pytest.ini_options]\ntestpaths = ["tests", "src"]\n'},
        "tests/server.py",
        "test",
        "src/server.py",
    ),
    "testpaths of one letter": (
        {"pyproject.toml": '[tool.pytest.ini_options]\ntestpaths = "t/unit/"\n'},
        "t/unit/security/__init__.py",
        "test",
        "s/unit/security/__init__.py",
    ),
    "pytest.ini": (
        {"pytest.ini": "[pytest]\ntestpaths =\n    tests\n    more_tests\n"},
        "more_tests/server.py",
        "test",
        "mytest/server.py",
    ),
    "mocha": (
        {"package.json": '{"scripts": {"test": "mocha --check-leaks test/ test/acceptance/"}}'},
        "test/support/env.js",
        "test",
        "bench/env.js",
    ),
    "maven": ({"api/pom.xml": ""}, "api/src/test/java/A.java", "test", "web/src/test/java/A.java"),
    "integration with bats": (
        {"contrib/docker-integration/tls.bats": '@test "connects" {\n  run client\n}\n'},
        "contrib/docker-integration/nginx/ssl/server.key",
        "test",
        "contrib/docker/server.key",
    ),
    "samples of maven": (
        {
            "example/pom.xml": "<project>\n<parent><artifactId>a-parent</artifactId></parent>\n"
            "<artifactId>a-example</artifactId>\n</project>\n",
            "samples/pom.xml": "<project>\n<artifactId>a-client</artifactId>\n<dependencies>"
            "<dependency><artifactId>a-samples</artifactId></dependency></dependencies></project>",
        },
        "example/src/main/java/A.java",
        "example",
        "samples/src/main/java/A.java",
    ),
    "what maven measures with": (
        {"microbench/pom.xml": "<project>\n<artifactId>a-microbench</artifactId>\n</project>\n"},
        "microbench/src/main/java/A.java",
        "test",
        "bench/src/main/java/A.java",
    ),
    "gradle": ({"build.gradle.kts": ""}, "src/test/kotlin/A.kt", "test", "src/testing/A.kt"),
    "cargo tests": ({"Cargo.toml": "[package]\n"}, "tests/a.rs", "test", "testing/a.rs"),
    "cargo samples": ({"Cargo.toml": "[package]\n"}, "examples/a.rs", "example", "demo/a.rs"),
    "go samples": ({"go.mod": "module x\n"}, "_examples/a.go", "example", "examples/a.go"),
    "junit data": (
        {"test/org/app/KeyTest.java": "import org.junit.Test;\n"},
        "test/org/app/key.pem",
        "test",
        "test/org/app/App.java",
    ),
    "pytest data": (
        {"tests/unit/test_a.py": "def test_a():\n    pass\n"},
        "tests/unit/data/compose.yml",
        "test",
        "tests/unit/serve.py",
    ),
    "pytest support": (
        {"tests/unit/test_a.py": "VALUE = 1\n", "tests/conftest.py": "import pytest\n"},
        "tests/data/compose.yml",
        "test",
        "tested/data/compose.yml",
    ),
    "bats": (
        {"tests/build.bats": '@test "builds" {\n  true\n}\n'},
        "tests/build/Dockerfile",
        "test",
        "build/Dockerfile",
    ),
    "ansible-test": (
        {"test/integration/targets/apt/aliases": "shippable/posix/group1\n"},
        "test/integration/targets/apt/tasks/main.yml",
        "test",
        "test/integration/targets/dnf/tasks/main.yml",
    ),
    "molecule": (
        {"molecule/default/molecule.yml": "---\nprovisioner:\n  name: ansible\n"},
        "molecule/common/prepare.yml",
        "test",
        "roles/molecule/prepare.yml",
    ),
    "a folder of go tests": (
        {"tests/e2e/a_test.go": "package e2e\n"},
        "tests/docker/Dockerfile",
        "test",
        "deploy/Dockerfile",
    ),
    "programs in a folder of go tests": (
        {"tests/e2e/a_test.go": "package e2e\n"},
        "tests/docker/compose.yaml",
        "test",
        "tests/docker/run.sh",
    ),
    "a folder of ruby's tests": (
        {"acceptance/a_spec.rb": 'require "spec_helper"\ndescribe "a" do\nend\n'},
        "acceptance/images/Dockerfile",
        "test",
        "images/Dockerfile",
    ),
    "a folder of C's tests": (
        {"tests/src/a_test.cpp": "#include <gtest/gtest.h>\nTEST(A, B) {}\n"},
        "tests/Dockerfile.daemon",
        "test",
        "tests/run.sh",
    ),
    "samples of a module of go": (
        {"go.mod": "module example.org/a\n"},
        "script/demo/compose.yaml",
        "example",
        "internal/demo/compose.yaml",
    ),
    "a folder of tests for prove": (
        {"tests/basic/a.t": "#!/bin/bash\nTEST true\n"},
        "tests/vagrant/main.yml",
        "test",
        "tests/vagrant/run.sh",
    ),
    "tests that CMake runs": (
        {"tests/unit/CMakeLists.txt": "add_executable(a a.c)\nadd_test(NAME a COMMAND a)\n"},
        "tests/images/Dockerfile",
        "test",
        "tests/images/run.sh",
    ),
    "tests that Automake runs": (
        {"testing/Makefile.am": "TESTS = a.sh\n"},
        "testing/conf/compose.yaml",
        "test",
        "test/conf/compose.yaml",
    ),
    "a folder that CMake builds into the program": (
        {"tests/CMakeLists.txt": "add_test(a)\n", "test/CMakeLists.txt": "add_library(a a.c)\n"},
        "tests/Dockerfile",
        "test",
        "test/Dockerfile",
    ),
    "tests of VTest": (
        {"reg-tests/http/a.vtc": 'varnishtest "a"\n'},
        "reg-tests/conf/haproxy.cfg",
        "test",
        "conf/haproxy.cfg",
    ),
    "tests of Robot Framework": (
        {"test/robot/a.robot": "*** Settings ***\n\n*** Test Cases ***\nA\n    Log  a\n"},
        "test/compose.yaml",
        "test",
        "compose.yaml",
    ),
    "samples of what CMake builds": (
        {"CMakeLists.txt": "project(a)\n"},
        "extra/examples/docker/Dockerfile",
        "example",
        "extra/examples/docker/a.c",
    ),
    "samples that a jar holds": (
        {"pom.xml": "<project/>"},
        "examples/k8s.yaml",
        "example",
        "src/main/resources/examples/k8s.yaml",
    ),
    "samples of a module of Terraform": (
        {"modules/vpc/outputs.tf": 'output "a" { value = 1 }\n'},
        "modules/vpc/examples/full/main.tf",
        "example",
        "examples/full/main.tf",
    ),
    "documentation of a module of go": (
        {"go.mod": "module example.org/a\n"},
        "docs/k8s.yaml",
        "docs",
        "docs/docs.go",
    ),
    "tests that Git's archives leave out": (
        {".gitattributes": "*.sh text\n/tests export-ignore\n/deploy text\ndemo export-ignore\n"},
        "tests/images/Dockerfile",
        "test",
        "tests/images/run.sh",
    ),
    "samples that Python's packages leave out": (
        {"MANIFEST.in": "graft docs\nprune examples\nexclude deploy\n"},
        "examples/compose.yaml",
        "example",
        "docs/compose.yaml",
    ),
    "tests that npm's packages leave out": (
        {".npmignore": "test/\ndeploy/\n"},
        "test/compose.yaml",
        "test",
        "deploy/compose.yaml",
    ),
    "a container to develop in": (
        {".devcontainer/devcontainer.json": '{"dockerComposeFile": "compose.yml"}\n'},
        ".devcontainer/conf/Dockerfile",
        "test",
        "conf/Dockerfile",
    ),
    "a folder of erlang's tests": (
        {"test/sql_SUITE.erl": "-module(sql_SUITE).\n"},
        "test/docker/compose.yml",
        "test",
        "docker/compose.yml",
    ),
    "a folder of pytest's tests": (
        {"a/tests/unit/test_a.py": "import pytest\n"},
        "a/tests/docker/Dockerfile",
        "test",
        "a/testing/Dockerfile",
    ),
    "a folder of bats' tests": (
        {"tests/bats/a.bats": '@test "a" {\n  true\n}\n'},
        "tests/cloud/compose.yaml",
        "test",
        "tests/cloud/run.sh",
    ),
    "testdata beside a test": (
        {"cli/a_test.go": "package cli\n"},
        "cli/testdata/Dockerfile",
        "test",
        "cmd/testdata/Dockerfile",
    ),
    "tests of a role": (
        {"roles/web/tasks/main.yml": "- name: a\n"},
        "roles/web/tests/test.yml",
        "test",
        "roles/web/files/a.yml",
    ),
    "prove": (
        {"t/web/a.t": "use strict;\nuse App::Test tests => 1;\n"},
        "t/web/key",
        "test",
        "t/key",
    ),
    "testdata": ({"go.mod": "module x\n"}, "a/testdata/a.go", "test", "a/fixtures/a.go"),
    "files of go tests": (
        {"server/tls_test.go": 'var key, page = "./configs/certs/key.pem", "pages/a.html"\n'},
        "server/configs/certs/key.pem",
        "test",
        "server/pages/a.html",
    ),
    "a folder that a go test names": (
        {"parser/a_test.go": 'const files = "testfiles"\n', "cmd/a.go": 'const f = "testfiles"\n'},
        "parser/testfiles/consul/Dockerfile",
        "test",
        "cmd/testfiles/consul/Dockerfile",
    ),
    "a program in a folder that a go test names": (
        {"parser/a_test.go": 'var f = filepath.Join("test-images", "a")\n'},
        "parser/test-images/a/Dockerfile",
        "test",
        "parser/test-images/a/run.sh",
    ),
    "files of a program at the root": (
        {"tls_test.go": 'var key = "configs/b.pem"\n', "x/tls_test.go": 'var key = "c/a.pem"\n'},
        "x/c/a.pem",
        "test",
        "configs/b.pem",
    ),
    "dotnet": (
        {"A.Tests/A.csproj": '<PackageReference Include="Microsoft.NET.Test.Sdk"/>'},
        "A.Tests/B.cs",
        "test",
        "B.Tests/B.cs",
    ),
    "sphinx": ({"docs/conf.py": "extensions = []\n"}, "docs/x.py", "docs", "site/x.py"),
    "sphinx apart": (
        {"api-ref/source/conf.py": "extensions = []\n"},
        "api-ref/source/samples/x.py",
        "docs",
        "api-ref/x.py",
    ),
    "python sample": (
        {"pyproject.toml": PYPROJECT},
        "examples/a.py",
        "example",
        "app/examples/a.py",
    ),
    "python tools": (
        {
            "pyproject.toml": PYPROJECT
            + '[tool.hatch.build.targets.sdist]\ninclude = ["/app", "/tests"]\n'
            + '[tool.coverage.run]\ninclude = ["app/*", "tests/*"]\n'
            + '[tool.hatch.build.targets.wheel]\npackages = ["app", "demo"]\n'
        },
        "tests/a.json",
        "test",
        "demo/a.json",
    ),
    "python docs beside the package, also of the sdist": (
        {"pyproject.toml": PYPROJECT + '[tool.pdm.build]\nsource-includes = ["docs_src/"]\n'},
        "docs_src/a.py",
        "docs",
        "server/a.py",
    ),
    "rake": (
        {"lib/Rakefile": 'require "rake/testtask"\nrequire_relative "test/isolation/unit"\n'},
        "lib/test/isolation/unit.rb",
        "test",
        "lib/tests/unit.rb",
    ),
    "rails": (
        {"Rakefile": "require_relative 'config/application'\n\nRails.application.load_tasks\n"},
        "test/fixtures/users.yml",
        "test",
        "app/test/users.yml",
    ),
    "data of go tests": (
        {"test/sync_test.go": "package integration\n"},
        "test/h1/key.pem",
        "test",
        "test/h1/main.go",
    ),
    "composer excludes": (
        {"src/Mime/composer.json": '{"autoload": {"exclude-from-classmap": ["/Tests/"]}}'},
        "src/Mime/Tests/data/sign.key",
        "test",
        "src/Http/Tests/data/sign.key",
    ),
    "phpunit in capitals": (
        {"phpunit.xml.dist": "<testsuite><directory>./Tests/</directory></testsuite>"},
        "Tests/a.php",
        "test",
        "Testsuite/a.php",
    ),
    "python tests of which a part is packaged": (
        {
            "pyproject.toml": PYPROJECT
            + '[tool.setuptools.packages.find]\nwhere = ["lib", "test/lib"]\n'
        },
        "test/targets/a.py",
        "test",
        "test/lib/a.py",
    ),
    "python docs": ({"pyproject.toml": PYPROJECT}, "docs/a.py", "docs", "server/a.py"),
    "setup.py": (
        {"setup.py": "setup(packages=find_packages(exclude=['tests', 'demo']))"},
        "demo/a.py",
        "example",
        "deploy/a.py",
    ),
    "npm sample": ({"package.json": PACKAGE}, "examples/a.js", "example", "lib/examples/a.js"),
    "npm bundle": (
        {"package.json": '{"scripts": {"build": "rollup -c"}, "main": "dist/a.js"}'},
        "dist/a.js",
        "generated",
        "dist/a.py",
    ),
}


@pytest.mark.parametrize("name", PLACES)
def test_a_manifest_speaks_of_what_it_names(name: str, tmp_path: Path) -> None:
    evidence, meant, role, beside = PLACES[name]
    found = roles(tmp_path, {meant: "x", beside: "x", **evidence})
    assert (found.get(meant), found.get(beside)) == (role, None)


def test_a_wheels_record_proves_the_bytes(tmp_path: Path) -> None:
    record = f"six.py,sha256={RECORD_SIX},8\nseven.py,sha256={RECORD_SIX},8\n"
    texts = {"x-1.dist-info/RECORD": record, "six.py": "six = 6\n", "seven.py": "evil()\n"}
    assert roles(tmp_path, texts) == {"six.py": "vendored"}


UNPACKAGED = {
    "named": ({"pyproject.toml": PYPROJECT + '[tool.setuptools]\npackages = ["examples"]\n'}),
    "private": ({"package.json": PACKAGE.replace('"name"', '"private": true, "name"')}),
    "packages nothing": ({"pyproject.toml": "[tool.black]\n"}),
    "imported": ({"pyproject.toml": PYPROJECT, "app/a.py": "from examples import a\n"}),
    "imported by name": ({"pyproject.toml": PYPROJECT, "app/a.py": "import examples.a as b\n"}),
    "required": ({"package.json": PACKAGE, "lib/a.js": "require('../examples/a')\n"}),
    "deployed": ({"pyproject.toml": PYPROJECT, "Dockerfile": 'CMD ["python", "examples/a.py"]'}),
    "deployed module": ({"pyproject.toml": PYPROJECT, "Procfile": "web: gunicorn examples.a:app"}),
}


@pytest.mark.parametrize("name", UNPACKAGED)
def test_no_sample_is_what_may_run(name: str, tmp_path: Path) -> None:
    texts = UNPACKAGED[name] | {"examples/a.py": "x", "examples/a.js": "x"}
    used = "examples/a.js" if name == "required" else "examples/a.py"
    assert used not in roles(tmp_path, texts)


@pytest.mark.parametrize("said", ["RUN ls ../a", "RUN cat a/.b"])
def test_a_file_without_an_ending_is_not_in_use_where_others_are(said: str, tmp_path: Path) -> None:
    texts = {
        "Dockerfile": f"FROM a\n{said}\n",
        "tests/e2e/a_test.go": "package e2e\n",
        "tests/image/Dockerfile": "FROM a\n",
        "tests/v1.2/Makefile": "all:\n",
    }
    found = roles(tmp_path, texts)
    assert found["tests/image/Dockerfile"] == found["tests/v1.2/Makefile"] == "test"


def test_a_deployment_that_another_copies_is_in_no_use(tmp_path: Path) -> None:
    texts = {
        "Dockerfile": "FROM a\nCOPY docs /srv\nCMD serve\n",
        "docs/conf.py": "extensions = []\n",
        "docs/try/Dockerfile": "FROM a\n",
        "docs/page.html": "<p>",
    }
    assert roles(tmp_path, texts) == {"docs/try/Dockerfile": "docs"}


def test_a_deployment_that_another_builds_is_in_use(tmp_path: Path) -> None:
    texts = {
        "compose.yaml": "services: {a: {build: docs/try}}\n",
        "docs/conf.py": "extensions = []\n",
        "docs/try/Dockerfile": "FROM a\n",
    }
    assert "docs/try/Dockerfile" not in roles(tmp_path, texts)


def test_a_file_without_an_ending_is_in_use_where_it_is_named(tmp_path: Path) -> None:
    texts = {
        "compose.yaml": "services: {a: {build: {dockerfile: tests/image/Dockerfile}}}\n",
        "tests/e2e/a_test.go": "package e2e\n",
        "tests/image/Dockerfile": "FROM a\n",
    }
    assert "tests/image/Dockerfile" not in roles(tmp_path, texts)


def test_no_test_is_what_production_imports(tmp_path: Path) -> None:
    texts = {
        "app/__init__.py": "",
        "app/a.py": "from .checks import run\n",
        "app/checks.py": PYTEST,
    }
    assert roles(tmp_path, texts) == {}


@pytest.mark.parametrize("loads", ["import_module('tests.test_a')", "run('tests/test_a.py')"])
def test_no_test_is_what_production_loads_by_name(loads: str, tmp_path: Path) -> None:
    texts = {"app.py": loads, "tests/test_a.py": PYTEST, "tests/test_b.py": PYTEST}
    assert roles(tmp_path, texts) == {"tests/test_b.py": "test"}


DEPLOYMENTS = {
    "docker/prod.dockerfile": 'CMD ["python", "tests/test_a.py"]',
    "k8s/web/app.yaml": "command: [python, tests/test_a.py]",
    "uwsgi.ini": "module = tests.test_a:app",
    ".flaskenv": "FLASK_APP=tests.test_a",
    "start.sh": "exec gunicorn tests.test_a:app",
    "docker-entrypoint.sh": "exec gunicorn tests.test_a:app",
    "main.tf": 'handler = "tests/test_a.app"',
    "vercel.json": '{"functions": {"tests/test_a.py": {}}}',
    "ecosystem.config.js": 'module.exports = {apps: [{script: "tests/test_a.py"}]}',
}


@pytest.mark.parametrize("path", DEPLOYMENTS)
def test_no_test_is_what_a_deployment_runs(path: str, tmp_path: Path) -> None:
    texts = {path: DEPLOYMENTS[path], "tests/test_a.py": PYTEST, "tests/test_b.py": PYTEST}
    assert roles(tmp_path, texts) == {"tests/test_b.py": "test"}


STARTS = {
    # what starts tests/test_a.py, or tests/a.test.js: the file that does, and its text
    "script": ("pyproject.toml", '[project.scripts]\nx = "tests.test_a:f"\n'),
    "entry point": ("setup.py", 'setup(entry_points={"console_scripts": ["x=tests.test_a:f"]})\n'),
    "settings of setuptools": ("setup.cfg", "console_scripts =\n  x = tests.test_a:f\n"),
    "task": ("pyproject.toml", '[tool.pdm.scripts]\nstart = "python tests/test_a.py"\n'),
    "make": ("Makefile", "run:\n\tpython tests/test_a.py\n"),
    "script of a shell": ("run.sh", "#!/bin/sh\npython -O \\\n  tests/test_a.py\n"),
    "program": ("bin/run", "#!/bin/sh\nexec python tests/test_a.py\n"),
    "timetable": ("etc/cron.d/x", "* * * * * root /usr/bin/python3 /srv/tests/test_a.py\n"),
    "hook": (".pre-commit-hooks.yaml", "- id: x\n  entry: python tests/test_a.py\n"),
    "stack": ("docker/stack.yml", "services:\n  a:\n    command: [python, tests/test_a.py]\n"),
    "list": ("x.yaml", "command:\n- python\n- tests/test_a.py\n"),
    "copied": ("Dockerfile", "FROM a\nCOPY tests /app\nCMD python /app/test_a.py\n"),
    "folder": ("Dockerfile", "FROM a\nWORKDIR /app/tests\nCMD python test_a.py\n"),
    "function": ("template.yaml", "    Handler: test_a.f\n    CodeUri: tests/\n"),
    "handler": ("main.tf", '  handler = "tests.test_a.f"\n'),
    "Lambda": ("zappa_settings.json", '{"a": {"app_function": "tests.test_a.f"}}\n'),
    "task of ECS": ("task-definition.json", '{"command": ["gunicorn", "tests.test_a:f"]}\n'),
    "IIS": ("web.config", '<add key="WSGI_HANDLER" value="tests.test_a.f" />\n'),
    "cloud": ("cdk.json", '{"app": "python3 tests/test_a.py"}\n'),
    "server": ("conf/a.ini", "[server]\nmodule = tests.test_a:f\n"),
    "sum": ("a.py", 'importlib.import_module("tests." + sys.argv[1])\n'),
    "format": ("a.py", "importlib.import_module(f'tests.test_{name}')\n"),
    "package": ("a.py", 'importlib.import_module(".test_a", "tests")\n'),
    "joined": ("a.py", 'runpy.run_path(os.path.join("tests", "test_a.py"))\n'),
    "path": ("a.py", 'exec((Path("tests") / "test_a.py").read_text())\n'),
    "tasks": ("a.py", 'app.autodiscover_tasks(["tests"], "test_a")\n'),
    "search path": ("a.py", 'sys.path.insert(0, "tests")\nimport test_a\n'),
    "command": ("a.py", 'os.system("python tests/test_a.py")\n'),
    "bracket": ("a.py", "from tests import (  # x)\n  test_a,\n)\n"),
    "semicolon": ("a.py", "x = 1; from tests.test_a import f\n"),
    "continued": ("a.py", "from tests \\\n  import test_a\n"),
    "in one line": ("a.py", "try: import tests.test_a\nexcept ImportError: pass\n"),
    "text": ("a.py", 'exec("from tests.test_a import f")\n'),
    "main": ("package.json", '{"main": "./tests/a.test"}'),
    "bin": ("package.json", '{"bin": {"x": "tests/a.test.js"}}'),
    "exports": ("package.json", '{"exports": {".": {"require": "./tests/a.test.js"}}}'),
    "start": ("package.json", '{"scripts": {"start": "node tests/a.test.js"}}'),
    "action": ("action.yml", "runs:\n  using: node20\n  main: tests/a.test.js\n"),
    "require": ("a.js", 'require("./tests/" + "a.test");\n'),
    "join": ("a.js", 'require(path.join(__dirname, "tests", "a.test"));\n'),
    "template": ("a.js", "import(`./tests/a.test.js`);\n"),
    "variable": ("a.js", "import(`./tests/${name}.js`);\n"),
    "alias": ("a.ts", 'import "@/tests/a.test";\n'),
}
BOTH = {"tests/test_a.py": PYTEST, "tests/a.test.js": OWN_TEXT["globals"][1]}


@pytest.mark.parametrize("name", STARTS)
def test_what_is_started_is_no_test(name: str, tmp_path: Path) -> None:
    path, text = STARTS[name]
    assert set(roles(tmp_path, {path: text, **BOTH})) < set(BOTH)


def test_programs_in_other_files_start_others_too(tmp_path: Path) -> None:
    cell = '{"cells": [{"cell_type": "code", "source": ["from tests.test_a import f\\n"]}]}'
    page = '<p/><script src="tests/a.test.js"></script><script>f()</script>\n'
    laid(tmp_path / "tree", {"a.ipynb": cell, "a.html": page, **BOTH})
    (tmp_path / "readings").mkdir()
    tree = with_roles(read_tree(tmp_path / "tree", readings=tmp_path / "readings"))
    assert {file.role for file in tree.files} == {Role.SOURCE}


TESTED = {
    "make": ("Makefile", "test:\n\tpython -m pytest tests/test_a.py\n"),
    "target": ("Makefile", "test-unit:\n\tpython tests/test_a.py\n"),
    "npm": ("package.json", '{"scripts": {"test": "node tests/a.test.js"}}'),
    "node": ("package.json", '{"scripts": {"unit": "node --test tests/a.test.js"}}'),
    "lint": ("setup.cfg", "per-file-ignores =\n  tests/test_a.py:F401\n"),
    "types": ("pyproject.toml", '[[tool.mypy.overrides]]\nmodule = "tests.test_a"\n'),
    "integration": (".github/workflows/a.yml", "jobs:\n  a:\n    run: python tests/test_a.py\n"),
    "image": ("Dockerfile", "FROM a\nCOPY tests tests\nCMD pytest tests\n"),
    "lazy parts": ("__init__.py", 'importlib.import_module("." + name, __name__)\n'),
    "own path": ("a.py", 'sys.path.insert(0, "lib")\nimport other\n'),
}


@pytest.mark.parametrize("name", TESTED)
def test_what_a_runner_of_tests_is_handed_is_one(name: str, tmp_path: Path) -> None:
    path, text = TESTED[name]
    assert set(roles(tmp_path, {path: text, **BOTH})) == set(BOTH)


_ADDED = "<execution><goals><goal>{}</goal></goals><source>src/test/java</source></execution>"
_MAIN = "sourceSets {{\n  {} {{\n    java {{\n      srcDirs = ['src/test/java']\n    }}\n  }}\n}}\n"


@pytest.mark.parametrize(
    ("file", "text", "is_test"),
    [
        ("pom.xml", "<project/>", True),
        ("pom.xml", "<testSourceDirectory>src/test/java</testSourceDirectory>", True),
        ("pom.xml", "<sourceDirectory>src/test/java</sourceDirectory>", False),
        ("pom.xml", _ADDED.format("add-test-source"), True),
        ("pom.xml", _ADDED.format("add-source"), False),
        ("build.gradle", _MAIN.format("test"), True),
        ("build.gradle", _MAIN.format("main"), False),
        ("build.gradle.kts", 'sourceSets["main"].java.srcDir("src/test/java")\n', False),
    ],
)
def test_a_folder_that_is_compiled_into_the_product_holds_no_tests(
    file: str, text: str, is_test: bool, tmp_path: Path
) -> None:
    texts = {f"lib/{file}": text, "lib/src/test/java/ATest.java": OWN_TEXT["junit"][1]}
    assert bool(roles(tmp_path, texts)) is is_test


def test_all_deployments_of_a_folder_count(tmp_path: Path) -> None:
    texts = {"Dockerfile": "FROM a\nCMD python -m tests.test_a\n", "Procfile": "web: app\n"}
    assert set(roles(tmp_path, {**texts, **BOTH})) == {"tests/a.test.js"}


def test_a_deployment_runs_nothing_that_it_does_not_name(tmp_path: Path) -> None:
    texts = {"Dockerfile": "FROM a\nCMD app", "pyproject.toml": PYPROJECT, "examples/RUN": "x"}
    assert roles(tmp_path, texts) == {"examples/RUN": "example"}


def test_what_tests_alone_import_is_theirs(tmp_path: Path) -> None:
    texts = {
        "tests/test_a.py": "from tests import server\n" + PYTEST,
        "tests/server.py": "from tests.deep import more\n",
        "tests/deep/more.py": "x",
        "tests/other.py": "x",
        "app.py": "x",
    }
    assert set(roles(tmp_path, texts)) == {
        "tests/test_a.py",
        "tests/server.py",
        "tests/deep/more.py",
    }


GENERATED = {
    "schema": {
        "api/a.proto": "",
        "a_pb2.py": "# Generated by protoc. DO NOT EDIT!\n# source: a.proto",
    },
    "same name": {"a.proto": "", "gen/a_pb2_grpc.py": '"""Generated by grpc. DO NOT EDIT."""'},
    "ragel": {"ext/a.rl": "", "ext/a.c": '\n#line 1 "ext/a.rl"\nint a;\n'},
    "generator": {"tools/make.py": "", "a.ts": "// @generated by tools/make.py"},
    "go": {"a.go": "//go:generate stringer\n", "a_string.go": "// Code generated. DO NOT EDIT."},
}


@pytest.mark.parametrize("name", GENERATED)
def test_generated_is_what_has_header_and_origin(name: str, tmp_path: Path) -> None:
    *origin, built = GENERATED[name]
    assert roles(tmp_path, GENERATED[name]) == {built: "generated"}
    (tmp_path / origin[0]).unlink()
    assert roles(tmp_path, {}) == {}


@pytest.mark.parametrize(
    ("banner", "role"),
    [
        ("/*! jQuery v3.7.1 | (c) OpenJS Foundation | jquery.org/license */", "vendored"),
        (
            "/*!\n * jQuery JavaScript Library v4.0.0\n *\n * Released under the MIT license\n */",
            "vendored",
        ),
        ("/*!\n  * Bootstrap v5.3.9 (https://x)\n  * Licensed under MIT\n  */", "vendored"),
        ("/*! jQuery */", None),
        ("/*! app v1.0.0 | MIT license */", None),
    ],
)
def test_a_librarys_banner_names_release_and_licence(
    banner: str, role: str | None, tmp_path: Path
) -> None:
    texts = {"package.json": '{"name": "app", "private": true}', "static/x.js": f"{banner}\nrun()"}
    assert roles(tmp_path, texts).get("static/x.js") == role


def change(
    folder: Path, before: Mapping[str, str], after: Mapping[str, str]
) -> tuple[dict[str, str], dict[str, str]]:
    """The roles in base and head that are not source."""
    trees = (laid(folder / "old", before), laid(folder / "new", {**before, **after}))
    old, head = (
        {file.path: file.role.value for file in tree.files if file.role is not Role.SOURCE}
        for tree in with_roles_of_change(*trees)
    )
    return old, head


SAMPLE = {"pyproject.toml": PYPROJECT, "examples/a.py": "x", "examples/b.py": "x"}


def test_what_a_change_does_not_touch_keeps_its_role(tmp_path: Path) -> None:
    kept = {"examples/a.py": "example", "examples/b.py": "example"}
    assert change(tmp_path, SAMPLE, {"app/a.py": "x"}) == (kept, kept)


def test_what_a_change_touches_is_lowered_in_neither(tmp_path: Path) -> None:
    after = {"examples/a.py": "y", "examples/new.py": "x"}
    kept = {"examples/b.py": "example"}
    assert change(tmp_path, SAMPLE, after) == (kept, kept)


def test_evidence_that_a_change_brings_lowers_nothing(tmp_path: Path) -> None:
    before = {"examples/a.py": "x", "vendor/x/a.go": "x", "test.py": "run()", "a.js": "run()"}
    after = {
        "pyproject.toml": PYPROJECT,
        "vendor/modules.txt": "# x v1.0.0\n",
        "test.py": PYTEST,
        "a.js": "/*! x v1.0.0 MIT license */",
    }
    assert change(tmp_path, before, after) == ({}, {})


def test_tests_and_prose_that_a_change_brings_are_what_they_say(tmp_path: Path) -> None:
    after = {"tests/test_a.py": PYTEST, "README.md": "x"}
    assert change(tmp_path, {"a.py": "x"}, after) == (
        {},
        {"tests/test_a.py": "test", "README.md": "docs"},
    )


def test_a_sample_that_a_change_puts_to_use_is_one_no_more(tmp_path: Path) -> None:
    before, after = change(tmp_path, SAMPLE, {"app/a.py": "from examples import a\n"})
    assert (before["examples/a.py"], after.get("examples/a.py")) == ("example", None)


def test_brackets_that_nothing_closes_end() -> None:
    """Where each had the rest searched for its end, this would not end today."""
    text = "from a import (\n" * 100_000
    assert set(imports.wanted("x.py", "python", text)) >= {"a"}


@pytest.mark.parametrize(
    ("path", "word"),
    [
        ("setup.py", "setup(exclude=["),
        ("package.json", '"files":['),
        ("pytest.ini", "testpaths = [\n"),
        ("Dockerfile", "a/"),
        ("Dockerfile", "a."),
        ("Makefile", "python "),
        ("package.json", '"main":['),
        ("a.py", "import a;"),
        ("a.py", "from a import ("),
        ("a.py", 'import_module("a.'),
        ("a.py", '"a", '),
    ],
)
def test_a_manifest_of_many_beginnings_ends(path: str, word: str, tmp_path: Path) -> None:
    """Where each had the rest read again, or kept, neither time nor memory would do today."""
    texts = {path: word * 100_000, "app.py": "x = 1\n", "tests/test_b.py": PYTEST}
    assert roles(tmp_path, texts) == {"tests/test_b.py": "test"}


def test_templates_of_clouds_are_in_use_whatever_their_ending(tmp_path: Path) -> None:
    """CloudFormation's and CDK's usual names; examples are told by their folder."""
    names = ("vpc.template", "vpc.template.json", "a/vpc.template.yaml", "cdk.out/A.template.json")
    assert roles(tmp_path, dict.fromkeys(names, '{"Resources": {}}')) == {}
