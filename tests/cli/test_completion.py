"""Completion, asked of the shells themselves where they are installed."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Mergegate

ASKED = {
    "bash": """
source ./script
COMP_WORDS=({line})
COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_mergegate_completion mergegate
printf '%s\\n' "${{COMPREPLY[@]}}"
""",
    "zsh": """
compdef() {{ :; }}
_describe() {{ print -rl -- $completions_with_descriptions }}
compadd() {{ print -rl -- $completions }}
source ./script
words=({line})
CURRENT=${{#words}}
_mergegate_completion
""",
    "fish": "source ./script; complete -C '{line}'",
}
QUIET = {"bash": ("--norc",), "zsh": ("-f",), "fish": ("--no-config",)}


@pytest.mark.parametrize("shell", ASKED)
@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("mergegate sca", {"scan", "scans"}),
        ("mergegate scan --quie", {"--quiet"}),
        ("mergegate scan --fail-on ne", {"new", "never"}),
        ("mergegate scan --format sar", {"sarif"}),
        ("mergegate rules --language pyth", {"python"}),
        ("mergegate explain python-sql-inj", {"python-sql-injection"}),
        ("mergegate explain csp-miss", {"csp-missing"}),
    ],
)
def test_the_shell_completes(
    shell: str, line: str, found: set[str], mergegate: Mergegate, tmp_path: Path
) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"SKIPPED LOUDLY: no {shell} is installed")
    (tmp_path / "script").write_text(mergegate("completion", shell).out)
    folder = Path(sys.executable).parent
    environment = {"PATH": f"{folder}:/usr/bin:/bin", "HOME": str(tmp_path)}
    told = subprocess.check_output(
        [program, *QUIET[shell], "-c", ASKED[shell].format(line=line)],
        cwd=tmp_path,
        env=environment,
        text=True,
    )
    # What follows a value tells what it means.
    assert {one.split("\t")[0].split(":")[0] for one in told.split("\n")} - {""} == found
