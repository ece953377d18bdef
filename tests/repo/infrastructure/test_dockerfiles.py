"""What Dockerfiles are as resources: instructions, stages and programs, with their lines."""

import pytest

from mergegate.repo.checks.infrastructure.dialects import described
from mergegate.repo.engines import documents
from mergegate.repo.facts.resources import UNKNOWN, Resource
from tests.repo.infrastructure.reading import answers, told


def read(text: str) -> list[Resource]:
    fact = documents.fact(answers(documents.DocumentEngine(), {"Dockerfile": text}))
    return list(described(fact))


FROM = f"FROM a:1@sha256:{'0' * 64}"


def of(kind: str, text: str) -> list[Resource]:
    return [one for one in read(text) if one.kind == f"dockerfile.{kind}"]


def test_a_program_has_the_line_that_it_is_called_on() -> None:
    text = """FROM a:1
RUN set -e \\
    # what follows is pinned
  && curl -O https://example.com/a \\

  && pip install b
"""
    assert [(one.kind, one.line) for one in read(text) if one.line > 2] == [
        ("dockerfile.curl", 4),
        ("dockerfile.pip", 6),
    ]


def test_a_script_in_a_here_document_is_read_and_its_data_is_not() -> None:
    text = "FROM a:1\nRUN <<EOF\nmake all\ncat <<END > b\npip install c\nEND\ngo build\nEOF\n"
    assert [(one.kind, one.line) for one in read(text) if one.line > 2] == [
        ("dockerfile.make", 3),
        ("dockerfile.cat", 4),
        ("dockerfile.go", 7),
    ]


def test_a_file_that_is_written_out_has_its_target() -> None:
    [copy] = of("COPY", "FROM a:1\nCOPY <<EOF /b\nc\nEOF\n")
    assert (copy.properties["target"].text, copy.properties["sources"].present) == ("/b", False)


def test_data_of_a_command_is_no_script() -> None:
    assert of("pip", "FROM a:1\nRUN cat <<EOF > /b\npip install c\nEOF\n") == []


@pytest.mark.parametrize(
    ("text", "shipped"),
    [
        ("FROM a:1\nRUN make", ["true"]),
        ("FROM a:1 AS one\nRUN make\nFROM b:1\nRUN make", ["false", "true"]),
        ("FROM a:1 AS one\nRUN make\nFROM ONE\nRUN make", ["true", "true"]),
    ],
)
def test_what_the_image_consists_of_is_known(text: str, shipped: list[str]) -> None:
    assert [one.properties["shipped"].text for one in of("make", text)] == shipped


def test_an_image_is_named_alike_however_it_is_written() -> None:
    names = ("python:3", "docker.io/library/python:3@sha256:00", "library/python:3 AS one")
    read_of = [of("FROM", f"FROM {name}\n")[0].properties for name in names]
    assert [(one["image"].text, one["tag"].text) for one in read_of] == [("python", "3")] * 3


def test_a_value_of_a_variable_is_not_known() -> None:
    [variable] = of("ENV", "FROM a:1\nENV A=$B\n")
    assert variable.properties["value"].tag == UNKNOWN


def test_a_shell_of_windows_is_not_read() -> None:
    text = 'FROM a:1\nSHELL ["powershell", "-Command"]\nRUN curl a | iex\n'
    assert of("curl", text) == []


@pytest.mark.parametrize(
    "line", ["EXPOSE {{ port }}", "ADD *.war /a/<%= name %>.war", "FROM {{a}}"]
)
def test_what_a_template_puts_there_is_not_known(line: str) -> None:
    assert told({"Dockerfile": f'{FROM}\n{line}\nHEALTHCHECK CMD ["a"]\n'}) == []


@pytest.mark.parametrize("name", ["STEP", "ENDED", "ALL", "_INIT_", "RESOURCE", "PLAIN", "STAGE"])
def test_an_instruction_that_there_is_not_is_read_as_one(name: str) -> None:
    assert told({"Dockerfile": f'{FROM}\n{name} a b\nCMD ["a"]\nHEALTHCHECK CMD a\n'}) == []


def test_a_file_without_a_base_is_no_dockerfile() -> None:
    assert read("RUN make\n") == []


def test_a_secret_is_in_no_resource() -> None:
    text = "FROM a:1\nENV DB_PASSWORD=no-real-one\nRUN tool --password no-real-one && tool\n"
    assert "no-real" not in repr(read(text))


@pytest.mark.parametrize(
    "step",
    [
        "RUN apt install -o no-real-one a",
        "RUN apt -o no-real-one install a",
        "RUN usermod -p no-real-one root",
        'RUN ["apt", "install", "no-real-one"]',
        "ENTRYPOINT /run no-real-one\nCMD b",
        "MAINTAINER no-real-one",
        "ENV A no-real-one",
        "RUN curl -u app:no-real-one https://example.com | sh",
        "ARG no=real,no-real-one\nMAINTAINER a",
    ],
)
def test_a_message_says_no_more_than_names(step: str) -> None:
    found = told({"Dockerfile": f"FROM a:1\n{step}\n"})
    assert found
    assert "no-real" not in repr(found)


def test_what_a_later_build_runs_is_read() -> None:
    text = f"{FROM}\nONBUILD RUN make \\\n  && pip install a\nONBUILD USER root\n"
    assert [(one.kind, one.line) for one in read(text) if one.line > 1] == [
        ("dockerfile.ONBUILD", 2),
        ("dockerfile.make", 2),
        ("dockerfile.pip", 3),
        ("dockerfile.ONBUILD", 4),
    ]


def test_instructions_that_are_too_long_together_are_named() -> None:
    text = "FROM a:1\n" + f"RUN make {'a ' * 25_000}\n" * 7
    reading = documents._dockerfile(text.encode(), whole=True)
    assert reading.problem == "its instructions are longer than 256 KiB; those behind were not read"
    assert documents._dockerfile(text[:250_000].encode(), whole=True).problem == ""


def test_an_instruction_that_is_too_long_is_named() -> None:
    text = f"FROM a:1\nRUN make {'a ' * 40_000}\n"
    problems = documents._dockerfile(text.encode(), whole=True).problem
    assert problems == "an instruction is longer than 64 KiB; its commands were not read"


HOSTILE = {
    "commands": "FROM a:1\nRUN " + "pip install a; " * 4_000,
    "stages": "".join(f"FROM s{n} AS s{n + 1}\n" for n in range(2_400)) + "COPY --from=s1 a b\n",
    "variables": "".join(f"ARG A{n}\n" for n in range(2_000))
    + "FROM a:1\n"
    + "ENV A1=$A2\n" * 2_000,
    "starts": "FROM a:1\n" + "CMD a\nHEALTHCHECK CMD a\n" * 2_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_told_of_to_its_end(name: str) -> None:
    assert told({"Dockerfile": HOSTILE[name]})


@pytest.mark.parametrize(
    ("path", "base", "expected"),
    [
        ("docker/stretch/Dockerfile", "debian:stretch-slim", "true"),
        ("docker/debian9/Dockerfile", "debian:stretch", "true"),
        ("docker/ubuntu1804/Dockerfile", "ubuntu:18.04", "true"),
        ("docker/ubuntu-18.04.Dockerfile", "docker.io/library/ubuntu:18.04", "true"),
        ("ci/centos7_x64/Dockerfile", "centos:7.3.1611", "true"),
        ("ci/go1.11/Dockerfile", "golang:1.11", "true"),
        ("ci/php-stretch/Dockerfile", "php:7.2-stretch", "true"),
        ("ci/alpine3.7/Dockerfile", "alpine:3.11", "false"),
        ("ci/debian10/Dockerfile", "debian:1", "false"),
        ("ci/debian/Dockerfile", "debian:stretch", "false"),
        ("Dockerfile", "golang:1.11", "false"),
        ("app18/Dockerfile", "node:18", "false"),
    ],
)
def test_a_path_may_name_the_release(path: str, base: str, expected: str) -> None:
    fact = documents.fact(answers(documents.DocumentEngine(), {path: f"FROM {base}\n"}))
    [found] = [one for one in described(fact) if one.kind == "dockerfile.FROM"]
    assert found.properties["for_release"].text == expected


@pytest.mark.parametrize(
    "step",
    [
        "RUN <<A\necho '<<B'\npip install c\nB\nA",
        "RUN <<A\necho <<B\npip install c\nA",
        "RUN bash -e <<A\npip install c\nA",
        "RUN <<A cat\nB\nA\nRUN p\\\nip install c",
    ],
)
def test_what_looks_like_data_hides_no_program(step: str) -> None:
    assert of("pip", f"FROM a:1\n{step}\n")


def test_a_statement_is_told_at_its_own_line() -> None:
    text = f"""{FROM}
RUN make \\
 && echo insecure >> ~/.curlrc \\
 && git -c a=b fetch
"""
    [one] = [one for one in told({"Dockerfile": text}) if one.rule_id.endswith("off-for-tool")]
    assert one.place.start_line == 3


def test_a_pipe_is_one_statement() -> None:
    [step] = of("RUN", f"{FROM}\nRUN curl -s https://a.io/k | gpg --import && make\n")
    assert [one.text for one in step.properties["statements"].items] == [
        "curl -s https://a.io/k | gpg --import && ",
        "make",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "FROM a:1\nARG C='pip install c'\nRUN $C\n",
        "ARG C\nFROM a:1\nENV C pip install c\nRUN ${C}\n",
        'ARG C="pip install c"\nFROM a:1\nARG C\nRUN make && $C\n',
        'FROM a:1 AS b\nENV C="pip install c"\nFROM b\nRUN bash -c "$C"\n',
        "FROM a:1\nARG P=pip\nARG W=c\nRUN $P install $W\n",
        "FROM a:1\nRUN ${P:-pip} install c\n",
        "FROM a:1\nARG C='pip install c'\nRUN eval $C\n",
    ],
)
def test_a_variable_that_the_file_gives_a_value_hides_no_program(text: str) -> None:
    [pip] = of("pip", text)
    assert [one.text for one in pip.properties["words"].items] == ["install", "c"]


def test_a_variable_without_a_value_stays_one() -> None:
    assert of("pip", "ARG C='pip install c'\nFROM a:1\nRUN $C\nARG D\nRUN $D\n") == []


@pytest.mark.parametrize(
    ("script", "run", "is_read"),
    [
        ("", "RUN sh /a.sh", True),
        ("#!/usr/bin/env bash\n", "RUN chmod +x /a.sh && /a.sh", True),
        ("#!/bin/sh\n", 'ENTRYPOINT ["/a.sh"]', True),
        ("#!/usr/bin/env python3\n", "RUN /a.sh", False),
        ("", "RUN sh /other.sh", False),
    ],
)
def test_a_script_that_is_written_out_and_run_is_read(script: str, run: str, is_read: bool) -> None:
    text = f"FROM a:1\nCOPY --chmod=755 <<'EOF' /a.sh\n{script}pip install c\nEOF\n{run}\n"
    line = 3 + script.count("\n")
    assert [one.line for one in of("pip", text)] == ([line] if is_read else [])
