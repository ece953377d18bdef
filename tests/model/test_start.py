"""What a scan without a model pays for it: nothing."""

import subprocess
import sys

_LOADED = (
    "import sys, mergegate.cli.main, mergegate.repo.scan, mergegate.repo.toolbox\n"
    "print([one for one in sys.modules if one.startswith(('mergegate.model', 'httpcore'))])"
)


def test_nothing_of_models_is_loaded_by_a_scan() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _LOADED], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
