"""The team's own tests as a gate: which fixes they turn down, and what they can do meanwhile."""

import os
import re
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from mergegate.core.errors import UsageError
from mergegate.core.finding import Edit
from mergegate.core.report import Fix, Mended
from mergegate.repo.fixes import own_tests
from mergegate.repo.fixes.own_tests import OwnTests, Suite, suite
from mergegate.sandbox.process import own_folder
from mergegate.sandbox.process.account import engines_account
from tests.secrets.mint import minted

pytestmark = pytest.mark.skipif(
    not own_folder.is_supported(), reason="NOT CHECKED: this kernel has no Landlock, or an old one"
)
PATH = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
BEFORE = "".join(f"bad{number}\n" for number in range(8))


def ordered(
    root: Path,
    command: str,
    *names: str,
    environment: Mapping[str, str] = PATH,
    network: bool = False,
    timeout_s: int = 60,
) -> Suite:
    withheld = re.compile("MERGEGATE_|CI_")
    return suite(
        root,
        command,
        names,
        environment,
        network=network,
        timeout_s=timeout_s,
        withheld=withheld,
    )


def fix(number: int) -> Fix:
    edit = Edit("app.txt", number + 1, number + 1, f"good{number}")
    return Fix(
        id=f"fix-{number}",
        finding_ids=(f"finding-{number}",),
        title="T",
        explanation="E",
        edits=(edit,),
        source="rule",
        verified=("applies",),
    )


def together(fixes: Sequence[Fix]) -> tuple[Mended, ...]:
    """The file after ``fixes``, which always hold together."""
    after = BEFORE
    for one in fixes:
        number = one.id.removeprefix("fix-")
        after = after.replace(f"bad{number}\n", f"good{number}\n")
    ids = tuple(one.id for one in fixes)
    made = Mended(path="app.txt", name="app.txt", fix_ids=ids, before=BEFORE, after=after)
    return (made,) if fixes else ()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "app.txt").write_text(BEFORE)
    return folder


READS = "grep -q '^[bg]' app.txt"
"""A suite that loads the file."""
ALL = [fix(number) for number in range(8)]


def test_what_the_tests_pass_bears_their_name(root: Path) -> None:
    gate = OwnTests(ordered(root, READS))
    judged = gate.judge(ALL, together)
    assert judged.passed == {one.id for one in ALL}
    assert (judged.mended, judged.refused) == (together(ALL), ())
    assert gate.told == "own tests, 3 runs: they pass with 8 fixes"


def test_tests_that_fail_without_a_fix_say_nothing(root: Path) -> None:
    gate = OwnTests(ordered(root, "echo broken; exit 3"))
    judged = gate.judge(ALL, together)
    assert (judged.passed, judged.refused) == (frozenset(), ())
    assert judged.mended == together(ALL), "the other gates still hold"
    assert gate.told.startswith("own tests, 1 run: they fail without the fix too")
    assert gate.told.endswith("broken")


def test_tests_that_do_not_notice_the_changed_files_say_nothing(root: Path) -> None:
    gate = OwnTests(ordered(root, "true"))
    judged = gate.judge(ALL, together)
    assert (judged.passed, judged.mended) == (frozenset(), together(ALL))
    assert "they pass with garbage in place of the changed files too" in gate.told


@pytest.mark.parametrize("culprits", [[0], [7], [2, 3], [0, 5]])
def test_the_fixes_that_break_the_tests_are_refused(root: Path, culprits: list[int]) -> None:
    broken = "|".join(f"good{number}" for number in culprits)
    gate = OwnTests(ordered(root, f"{READS} && if grep -E '{broken}' app.txt; then exit 9; fi"))
    judged = gate.judge(ALL, together)
    left = [one for number, one in enumerate(ALL) if number not in culprits]
    assert judged.passed == {one.id for one in left}
    assert {one.finding_id for one in judged.refused} == {f"finding-{one}" for one in culprits}
    assert {one.gate for one in judged.refused} == {"own tests"}
    assert {one.said for one in judged.refused} == {(f"good{one}",) for one in culprits}
    (one,) = judged.mended
    assert one.after == together(left)[0].after
    assert not ordered(root, gate._suite.command).run(judged.mended).why


def test_of_two_that_break_them_together_one_is_refused(root: Path) -> None:
    gate = OwnTests(ordered(root, f"{READS} && ! (grep good1 app.txt && grep good6 app.txt)"))
    judged = gate.judge(ALL, together)
    assert [one.finding_id for one in judged.refused] == ["finding-6"]
    assert len(judged.passed) == 7


def test_where_all_break_them_none_is_offered(root: Path) -> None:
    gate = OwnTests(ordered(root, "! grep good app.txt"))
    judged = gate.judge(ALL[:2], together)
    assert (judged.passed, judged.mended, len(judged.refused)) == (frozenset(), (), 2)
    assert gate.told == "own tests, 4 runs: they pass with no fix, so none of these is offered"


def test_the_search_ends(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_tests, "MOST_RUNS", 6)
    gate = OwnTests(ordered(root, f"{READS} && ! grep -E 'good[1357]' app.txt"))
    judged = gate.judge(ALL, together)
    assert gate.told.startswith("own tests, 6 runs: they pass with 1 fix;")
    assert judged.passed == {"fix-0"}
    assert len(judged.refused) == 7
    assert judged.refused[-1].why == "which of them fails is not known after 6 runs"


def test_what_does_not_hold_together_waits_untested(root: Path) -> None:
    def apart(fixes: Sequence[Fix]) -> tuple[Mended, ...]:
        return together([one for one in fixes if one.id != "fix-4" or len(fixes) == 1])

    judged = OwnTests(ordered(root, READS)).judge(ALL, apart)
    assert judged.passed == {one.id for one in ALL} - {"fix-4"}
    assert judged.refused == ()


def test_what_was_refused_stays_refused_in_the_next_scan(root: Path) -> None:
    gate = OwnTests(ordered(root, f"{READS} && ! grep good3 app.txt"))
    first, told = gate.judge(ALL, together), gate.told
    second = gate.judge(ALL[2:5], together)
    assert (second.refused, gate.told) == (first.refused, told)
    assert (second.passed, second.mended) == (frozenset(), together([ALL[2], ALL[4]]))


def test_what_could_not_be_tested_is_not_offered(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_tests, "_MOST_BYTES", 10)
    gate = OwnTests(ordered(root, READS))
    judged = gate.judge(ALL, together)
    assert (judged.mended, len(judged.refused)) == ((), 8)
    assert "they could not be run: the work tree is larger" in gate.told


def test_a_file_that_changes_meanwhile_is_not_tested(root: Path) -> None:
    (root / "app.txt").write_text("other\n")
    with pytest.raises(UsageError, match="changed while it was scanned"):
        ordered(root, READS).run(together(ALL))


def test_the_copy_has_links_and_modes_and_no_data_of_git(root: Path) -> None:
    (root / ".git").mkdir()
    (root / ".git" / "config").write_text("token")
    (root / "lib" / ".git").mkdir(parents=True)
    (root / "run").write_text("#!/bin/sh\nexit 0\n")
    (root / "run").chmod(0o755)
    (root / "there").symlink_to("run")
    os.mkfifo(root / "pipe")
    held = "test ! -e .git && test ! -e lib/.git && test ! -e pipe && test -L there && ./there"
    assert not ordered(root, held).run().why


def test_the_work_tree_is_not_what_is_tested(root: Path) -> None:
    ran = ordered(root, f"rm -rf * .[a-z]* ../* {root}/*; ls {root}; exit 1").run()
    assert ran.said[-1] == "app.txt"
    assert (root / "app.txt").read_text() == BEFORE
    assert not ordered(root, READS).run().why


def test_nothing_outside_the_copy_is_written(root: Path) -> None:
    open_to_all = root.parent / "open"
    open_to_all.mkdir()
    open_to_all.chmod(0o777)
    tried = f"touch {open_to_all}/new; echo x > {root}/app.txt; touch here ~/here $TMPDIR/here"
    assert not ordered(root, tried).run().why
    assert list(open_to_all.iterdir()) == []
    assert (root / "app.txt").read_text() == BEFORE


@pytest.mark.parametrize("shut", ["app.txt", "lib", "."])
def test_a_file_that_the_tests_shut_is_scanned_again_all_the_same(root: Path, shut: str) -> None:
    """Landlock lets the owner of a file set its mode."""
    (root / "lib").mkdir()
    (root / "lib" / "more.txt").write_text("more")
    if account := engines_account():
        for one in (root, *root.rglob("*")):
            os.chown(one, account.uid, account.gid)
    before = {one: one.stat().st_mode for one in (root, *root.rglob("*"))}
    judged = OwnTests(ordered(root, f"chmod 0 {root}/{shut}; {READS}")).judge(ALL, together)
    assert {one: one.stat().st_mode for one in before} == before
    assert judged.mended == ()
    assert "modes of files in the work tree were set" in judged.refused[0].why


DEEP = "import os\nfor _ in range(3000):\n    os.mkdir('d')\n    os.chdir('d')\n"


def test_nothing_that_the_tests_leave_stays(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    (root / "deep.py").write_text(DEEP)
    left = "mkdir -p ../shut/x && chmod 0 ../shut && ln -s / ../link"
    assert not ordered(root, f"python deep.py && {left}").run().why
    assert list(place.iterdir()) == []


def test_a_tree_that_is_too_deep_is_not_tested(root: Path) -> None:
    subprocess.run(["mkdir", "-p", root / "/".join("d" * 1500)], check=True)
    with pytest.raises(UsageError, match="cannot be copied"):
        ordered(root, READS).run()
    subprocess.run(["rm", "-rf", root / "d"], check=True)


def test_a_suite_that_never_ends_is_ended(root: Path) -> None:
    assert ordered(root, "cat; sleep 600", timeout_s=1).run().why == (
        "they did not finish within 1 s"
    )


def test_endless_output_ends_and_only_its_end_is_told(root: Path) -> None:
    ran = ordered(root, "yes 0123456789", timeout_s=2).run()
    assert ran.why == "they did not finish within 2 s"
    assert set(ran.said) == {"0123456789"}
    assert len(ran.said) == 12


def test_a_line_without_end_tells_nothing(root: Path) -> None:
    assert ordered(root, "python -c \"print('word ' * 9999)\"; exit 1").run().said == ()


DAEMON = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.closerange(0, 3)
        code = "import time; time.sleep(600)"
        os.execv(sys.executable, [sys.executable, "-c", code, sys.argv[1]])
    os._exit(0)
os.wait()
"""


def test_a_daemon_ends_with_the_tests(root: Path) -> None:
    mark = f"daemon-of-{os.getpid()}"
    (root / "daemon.py").write_text(DAEMON)
    seen = f"pgrep -f '^[^ ]*python.*600. {mark}$' && exit 1"
    begun = f"python daemon.py {mark}; for i in 1 2 3 4 5 6 7 8 9; do sleep .2; {seen}; done"
    ran = ordered(root, begun).run()
    assert ran.why == "it ended on its own with exit code 1", "the trial is no trial"
    assert not any(mark in line for line in _command_lines())


def _command_lines() -> Iterator[str]:
    for one in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            yield one.read_text()
        except OSError:
            continue


def test_the_tests_see_no_variable_that_was_not_named(root: Path) -> None:
    token, key = minted("ghp_<alnum:36>"), minted("<hex:40>")
    environment = PATH | {
        "GITHUB_TOKEN": token,
        "MERGEGATE_MODEL_KEY": key,
        "AWS_PROFILE": "shop",
        "CI": "true",
    }
    (root / "look.py").write_text("import os\nprint(*sorted(os.environ), sep=' ')\nexit(1)\n")
    ran = ordered(root, "python look.py", "CI", environment=environment).run()
    names = set(" ".join(ran.said).split()) - {"LC_CTYPE", "OLDPWD", "PWD", "SHLVL", "_"}
    ours = {"MERGEGATE_PROCESS_TREE"}  # by which stray processes are known
    assert names - ours == {"CI", "HOME", "LANG", "LC_ALL", "PATH", "TMPDIR"}


def test_the_variables_of_other_processes_are_closed(root: Path) -> None:
    token = minted("ghp_<alnum:36>")
    look = "cat /proc/[0-9]*/environ | tr '\\0' '\\n' | sed -n 's/^TOLD=.*/seen/p'"
    other = subprocess.Popen(["sleep", "60"], env={"TOLD": token})
    try:
        seen = subprocess.run(["sh", "-c", look], capture_output=True, check=False)
        assert b"seen" in seen.stdout, "the trial is no trial"
        assert "seen" not in ordered(root, f"{look}; exit 1").run().said
    finally:
        other.kill()
        other.wait()


def test_what_failing_tests_say_is_masked_and_does_nothing(root: Path) -> None:
    token, given = minted("ghp_<alnum:36>"), "correct horse"
    (root / "said").write_text(
        f"token {token}\n::error::all is well\n##[error]and well\n\x1b[2Jgone\u202e\n"
        f"of the job: {given}\n-----BEGIN RSA PRIVATE KEY-----\nnot shown\n"
        "-----END RSA PRIVATE KEY-----\n" + "word " * 99 + "\n"
    )
    environment = PATH | {"WORD": given}
    ran = ordered(root, "cat said; exit 1", "WORD", environment=environment).run()
    told = "\n".join(ran.said)
    assert token not in told
    assert given not in told
    assert "not shown" not in told
    assert "\\x1b[2Jgone\\u202e" in told
    assert max(map(len, ran.said)) == 200
    assert all(line.isprintable() for line in ran.said)


def test_the_tests_have_no_network_unless_that_was_ordered(root: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        (root / "call.py").write_text(
            f"import socket\nsocket.create_connection(('127.0.0.1', {port}), 5)\n"
        )
        assert ordered(root, "python call.py").run().why
        assert not ordered(root, "python call.py", network=True).run().why


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("MERGEGATE_MODEL_KEY", "is not given to the tests"),
        ("CI_JOB_TOKEN", "is not given to the tests"),
        ("ALIAS", "is not given to the tests"),
        ("PIP_INDEX_URL", "is not given to the tests"),
        ("ABSENT", "there is no variable"),
        ("A=B", "there is no variable"),
    ],
)
def test_no_token_is_given_to_the_tests(name: str, said: str, root: Path) -> None:
    token = minted("<alnum:30>")
    environment = PATH | {
        "MERGEGATE_MODEL_KEY": token,
        "MERGEGATE_COMMENT": "true",
        "CI": "true",
        "CI_JOB_TOKEN": "c",
        "ALIAS": f"{token}\n",
        "PIP_INDEX_URL": f"https://ci:{token}@example.com/simple",
        "CI_PROJECT_DIR": "/builds/acme/shop",
        "PYTHONPATH": "/builds/acme/shop/src",
        "A=B": "d",
    }
    with pytest.raises(UsageError, match=said) as told:
        ordered(root, READS, name, environment=environment)
    assert token not in str(told.value)
    given = ordered(root, READS, "CI", "PYTHONPATH", environment=environment).variables
    assert given == {"CI": "true", "PYTHONPATH": "/builds/acme/shop/src"}


def test_tests_that_cannot_be_held_are_not_run(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_tests, "network_is_isolated", lambda: False)
    with pytest.raises(UsageError, match="network cannot be taken"):
        ordered(root, READS)
    assert ordered(root, READS, network=True)
    monkeypatch.setattr(own_folder, "version", lambda: 0)
    with pytest.raises(UsageError, match="cannot be held to a copy"):
        ordered(root, READS, network=True)
