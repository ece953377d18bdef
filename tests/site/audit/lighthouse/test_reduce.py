"""How many of an audit's rows are kept."""

import json
import subprocess
from pathlib import Path

import pytest

from mergegate.sandbox.process.node import node
from mergegate.site.audit import lighthouse

REDUCE = Path(lighthouse.__file__).with_name("reduce.mjs")
ASK = """
const [, reduce, told] = process.argv;
const {audit} = await import(reduce);
const {rows, details} = audit(JSON.parse(told));
console.log(JSON.stringify([rows, details.length]));
"""


@pytest.mark.parametrize(
    ("item", "kept"),
    [({"node": {"type": "node", "selector": "a"}}, 300), ({"url": "https://example.org/"}, 40)],
)
def test_elements_are_kept_as_their_reasons_are_asked_for(item: object, kept: int) -> None:
    details = {"type": "table", "headings": [], "items": [item] * 300}
    told = json.dumps({"id": "target-size", "details": details})
    command = [str(node()), "--input-type=module", "-e", ASK, str(REDUCE), told]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert json.loads(said) == [300, kept]
