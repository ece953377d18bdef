"""Where we are a container's first process nobody else buries what a program left behind."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

FIRST = """
import os, sys, time
from pathlib import Path
from mergegate.world.companion import companion

grandchildren = 'sh -c "sleep 100 & sleep 100 & echo; wait" & wait'
orphans = "sleep 100 & sleep 100 & echo"
for program in (grandchildren, orphans):
    with companion(["sh", "-c", program], cwd=Path(sys.argv[1])) as held:
        held.stdout.readline()
        while program == orphans and held.alive:
            time.sleep(0.001)
print([one for one in os.listdir("/proc") if one.isdecimal()])
"""


@pytest.mark.skipif(
    sys.platform != "linux" or os.geteuid() != 0,
    reason="NOT CHECKED: root alone can always be the first process of a namespace",
)
def test_whoever_was_killed_with_its_parents_is_buried(tmp_path: Path) -> None:
    """Else a host would be full of the dead some day."""
    becoming = ["unshare", "--pid", "--fork", "--mount-proc", "--"]
    argv = [*becoming, sys.executable, "-I", "-c", FIRST, str(tmp_path)]
    assert subprocess.check_output(argv, text=True) == "['1']\n"
