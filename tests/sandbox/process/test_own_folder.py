"""What was held to its folder leaves the rest of the machine as it is, and cannot look around."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from mergegate.sandbox.process import own_folder

here = pytest.mark.skipif(
    not own_folder.is_supported(), reason="NOT CHECKED: this kernel has no Landlock, or an old one"
)
_NO_CAPABILITIES = ("/usr/bin/setpriv", "--inh-caps=-all", "--bounding-set=-all", "--")
PLAIN = _NO_CAPABILITIES if os.geteuid() == 0 else ()
"""What stands before a program that root starts: nothing is closed to root's capabilities."""
CHANGES = """
import os, sys
outside = sys.argv[1]
for name, change in {
    "write": lambda: open(f"{outside}/kept", "w"),
    "append": lambda: open(f"{outside}/kept", "a"),
    "shorten": lambda: os.truncate(f"{outside}/kept", 0),
    "make": lambda: open(f"{outside}/new", "x"),
    "folder": lambda: os.mkdir(f"{outside}/new"),
    "link": lambda: os.symlink("x", f"{outside}/new"),
    "remove": lambda: os.unlink(f"{outside}/kept"),
    "move in": lambda: os.rename(f"{outside}/kept", "stolen"),
    "move out": lambda: os.rename("own", f"{outside}/new"),
    "through a link": lambda: open("door/kept", "w"),
}.items():
    try:
        change()
        print(name)
    except OSError:
        pass
"""


def held(folder: Path, code: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-I", "-c", code, *map(str, arguments)]
    launcher = [sys.executable, "-I", "-S", own_folder.__file__, str(folder), str(folder)]
    command = [*PLAIN, *launcher, *program]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "kept").write_text("kept")
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "own").write_text("own")
    (inside / "door").symlink_to(tmp_path / "outside")
    return inside


@here
def test_nothing_outside_is_changed(folder: Path) -> None:
    outside = folder.parent / "outside"
    done = held(folder, CHANGES, outside)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert {one.name: one.read_text() for one in outside.iterdir()} == {"kept": "kept"}


@here
def test_what_lies_inside_is_its_own(folder: Path) -> None:
    code = (
        "import os; os.rename('own', 'new'); os.mkdir('deep'); os.rename('new', 'deep/new');"
        "open('deep/new', 'w').write('x'); os.truncate('deep/new', 0); os.unlink('door');"
        "open('/dev/null', 'w').write('x'); import multiprocessing; multiprocessing.Lock();"
        "open('/dev/stdout', 'w').write('said'); print(os.getcwd())"
    )
    done = held(folder, code)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"said{folder}\n"
    assert [one.name for one in folder.rglob("*")] == ["deep", "new"]


@here
def test_other_processes_are_closed(folder: Path) -> None:
    look = (
        "import os, sys\ntry: print(open(f'/proc/{sys.argv[1]}/environ').read())\n"
        "except OSError: print('closed')\ntry: os.kill(int(sys.argv[1]), 0); print('reached')\n"
        "except OSError: print('out of reach')"
    )
    other = subprocess.Popen([*PLAIN, "sleep", "60"], env={"TOLD": "a word"})
    try:
        while Path(f"/proc/{other.pid}/comm").read_text() != "sleep\n":
            pass
        trial = [*PLAIN, sys.executable, "-c", look, str(other.pid)]
        assert b"a word" in subprocess.run(trial, capture_output=True, check=True).stdout
        said = held(folder, look, other.pid).stdout.split("\n")
        assert said[0] == "closed"
        if own_folder.version() >= own_folder._SCOPES:
            assert said[1] == "out of reach"
    finally:
        other.kill()
        other.wait()


@here
def test_the_limits_of_other_processes_stay(folder: Path) -> None:
    """With a second of computing time to go, the kernel would end Mergegate, or its supervisor."""
    tighten = (
        "import resource, sys\nother = int(sys.argv[1])\nfor pid in (other, 0):\n"
        "    try: resource.prlimit(pid, resource.RLIMIT_CPU, (77, 77)); print('set')\n"
        "    except PermissionError: print('refused')\n"
        "print(*(resource.prlimit(pid, resource.RLIMIT_CPU) for pid in (0, other)))"
    )
    other = subprocess.Popen([*PLAIN, "sleep", "60"])
    try:
        while Path(f"/proc/{other.pid}/comm").read_text() != "sleep\n":
            pass
        before = resource.prlimit(other.pid, resource.RLIMIT_CPU)
        done = held(folder, tighten, other.pid)
        assert (done.stderr, done.stdout) == ("", f"refused\nset\n(77, 77) {before}\n")
    finally:
        other.kill()
        other.wait()


@here
def test_a_suite_may_start_threads_and_programs_with_limits(folder: Path) -> None:
    code = "import subprocess, threading; one = threading.Thread(target=print); one.start();"
    code += "one.join(); subprocess.run(['sh', '-c', 'ulimit -n 99; ulimit -n'], check=True)"
    done = held(folder, code)
    assert (done.returncode, done.stdout.split()) == (0, ["99"]), done.stderr


@pytest.mark.parametrize("version", [0, 2])
def test_without_landlock_nothing_is_started(
    version: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(own_folder, "version", lambda: version)
    assert not own_folder.is_supported()
    with pytest.raises(OSError, match="Landlock is missing, or too old"):
        own_folder.give_up(os.fspath(tmp_path))
