"""What Lighthouse measured is told without what adding floats leaves behind."""

import json
from pathlib import Path

from mergegate.sandbox.process import node
from mergegate.sandbox.process.run import run
from mergegate.site.audit import lighthouse

ROWS = Path(lighthouse.__file__).with_name("rows.mjs")
SAID = [140.0000000000001, 0.123456, 0, 1e-9, None]


def test_a_figure_is_as_long_as_it_was_measured(tmp_path: Path) -> None:
    script = tmp_path / "figures.mjs"
    script.write_text(
        f"import {{figure}} from {json.dumps(ROWS.as_uri())};\n"
        f"console.log(JSON.stringify({json.dumps(SAID)}.map(figure)));\n"
    )
    done = run([node.node(), str(script)], cwd=tmp_path)
    assert json.loads(done.stdout) == [140, 0.123456, 0, 0, None]
