"""What the orphanage starts ends as if it had been started plainly, and waits behind others."""

import os
import subprocess
import sys

import pytest

from mergegate.sandbox.process import orphanage

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="NOT CHECKED: Linux alone hands on orphans"
)


@pytest.mark.parametrize(("code", "ended"), [("raise SystemExit(7)", 7), ("os.abort()", -6)])
def test_it_ends_as_its_program_did_which_gave_way_to_others(code: str, ended: int) -> None:
    program = (
        sys.executable,
        "-I",
        "-S",
        "-c",
        f"import os; os.write(2, b'%d' % os.nice(0)); {code}",
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", orphanage.__file__, *program],
        stderr=subprocess.PIPE,
        check=False,
    )
    assert (done.returncode, int(done.stderr)) == (ended, min(os.nice(0) + 10, 19))
