"""Scripts taken apart into commands, without anything of them being run."""

import shlex

import pytest

from mergegate.repo.checks.infrastructure.shell import Command, called, commands


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        (
            "apt-get update && apt-get install -y 'a b'",
            ["apt-get update", "apt-get install -y a b"],
        ),
        ("a; b | c || d & e", ["a", "b", "c", "d", "e"]),
        ("if [ -f a ]; then make all; fi", ["[ -f a ]", "make all", "fi"]),
        ("while ! curl a; do sleep 1; done", ["curl a", "sleep 1", "done"]),
        ("A=1 sudo -E /usr/bin/pip install b", ["pip install b"]),
        ("A=1", []),
        ("make # it's built", ["make"]),
        ("echo a#b", ["echo a#b"]),
        ("make > log 2>&1 < in all", ["make all"]),
        ("a \\\n  b", ["a b"]),
        ("a\nb", ["a", "b"]),
        ('echo "a && b"', ["echo a && b"]),
        ("echo ${A:-b} c", ["echo ${A:-b} c"]),
        ("curl a/$(uname -m) -o b", ["uname -m", "curl a/$ -o b"]),
        ("A=`date -u` make", ["date -u", "make"]),
        ("(cd a; make)", ["cd a", "make"]),
        ("bash -lc 'npm ci && npm test'", ["bash -lc npm ci && npm test", "npm ci", "npm test"]),
        ("echo 'a", ["echo ' a"]),
    ],
)
def test_script_is_taken_apart(script: str, expected: list[str]) -> None:
    found = [" ".join((one.program, *one.words)) for one in commands(script)]
    assert found == expected


def test_a_shell_in_a_shell_in_a_shell_hides_nothing() -> None:
    script = "make it"
    for _ in range(5):
        script = f"bash -c {shlex.quote(script)}"
    assert [one.program for one in commands(script)] == ["bash"] * 5 + ["make"]


def test_pipe_names_the_program_that_reads() -> None:
    found = [(one.program, one.into) for one in commands("a | b && c | d | e")]
    assert found == [("a", "b"), ("b", ""), ("c", "d"), ("d", "e"), ("e", "")]


def test_files_that_are_written_are_known() -> None:
    [pip] = commands("pip install flask>=3 2>/dev/null < in")
    assert pip == Command("pip", ("install", "flask"), 0, writes=("=3", "/dev/null"))


def test_another_stream_is_no_file() -> None:
    told = {one.program: one.writes for one in commands("a 2>&1; b >&-; c >&log; d &>log")}
    assert told == {"a": (), "b": (), "c": ("log",), "d": ("log",)}


def test_command_begins_where_it_is_written() -> None:
    script = "a &&  b; (c $(d))"
    assert [script[one.start] for one in commands(script)] == ["a", "b", "d", "c"]


def test_what_stands_before_the_program_is_kept() -> None:
    [one] = commands("A=b sudo -H pip install c")
    assert one.before == ("A=b", "sudo", "-H")


def test_a_list_of_words_is_one_command_and_the_script_of_its_shell() -> None:
    found = [one.program for one in called(["/bin/sh", "-c", "make && make test"])]
    assert found == ["sh", "make", "make"]


def test_scripts_within_one_another_end() -> None:
    script = "make"
    for _ in range(6):
        script = (
            f"sh -c {chr(39)}{script}{chr(39)}" if chr(39) not in script else f'sh -c "{script}"'
        )
    assert len(list(commands(script))) <= 8


@pytest.mark.parametrize("sign", ["{", "(", "`", "'", '"', "<", "$(", "a=", "\\"])
def test_hostile_script_is_read_to_its_end(sign: str) -> None:
    assert len(list(commands(sign * 20_000))) <= 20_001
