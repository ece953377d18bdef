"""Upgrades by whole scans: the manifest's line is edited, and the lock file is left to its tool."""

import json
import subprocess
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from mergegate.core.report import Report
from mergegate.core.severity import Aspect
from mergegate.packages.advisories import Stock, update
from mergegate.repo.cache import RunMemory
from mergegate.repo.engines.duplication import DuplicationFinder
from mergegate.repo.scan import Request, scan
from mergegate.repo.toolbox import scan_toolbox, sources

WANTED = 0.8
"""Of what has a repaired version and is named in a manifest."""
ASPECTS = frozenset({Aspect.DEPENDENCIES})


def scanned(tmp_path: Path, advisories: dict[str, str], **texts: str) -> Report:
    """A tree of ``texts``, by name with ``__`` for a dot; package → the version that repairs it."""
    root, records = tmp_path / "tree", tmp_path / "records"
    for key, text in texts.items():
        path = root / key.replace("__", ".").replace("_", "-")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for place, fixed in advisories.items():
        ecosystem, name = place.split(":")
        for number in (1, 2):  # two flaws of each, which one upgrade answers
            record = {
                "id": f"TEST-{name.replace('/', '-')}-{number}",
                "affected": [
                    {
                        "package": {"ecosystem": ecosystem, "name": name},
                        "ranges": [
                            {
                                "type": "ECOSYSTEM",
                                "events": [{"introduced": "0"}, {"fixed": fixed}],
                            }
                        ],
                    }
                ],
            }
            file = records / ecosystem / f"{record['id']}.json"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(record))
    store = tmp_path / "store.sqlite"
    update(records, store)
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    engines = partial(sources, RunMemory(), Stock(store, fetch=False), DuplicationFinder())
    toolbox = scan_toolbox(fetch=False, cached=False, aspects=ASPECTS)
    request = Request(root, ASPECTS, fixes_of=lambda _: True)
    return scan(request, replace(toolbox, sources=engines))


def npm_lock(**versions: str) -> str:
    packages: dict[str, object] = {"": {"dependencies": dict.fromkeys(versions, "*")}}
    for name, version in versions.items():
        packages[f"node_modules/{name}"] = {"version": version}
    return json.dumps({"lockfileVersion": 3, "packages": packages}, indent=1)


def test_the_manifest_asks_for_more_and_the_lock_file_for_its_command(tmp_path: Path) -> None:
    report = scanned(
        tmp_path,
        {"npm:qs": "6.7.3"},
        package__json='{"private": true, "dependencies": {\n  "qs": "^6.5.0"\n}}\n',
        package_lock__json=npm_lock(qs="6.7.0"),
    )
    (fix,) = report.fixes
    (edit,) = fix.edits
    assert (edit.path, edit.start_line, edit.replacement) == ("package.json", 2, '  "qs": "^6.7.3"')
    assert len(fix.finding_ids) == 2
    assert "`npm install qs@6.7.3`" in fix.explanation
    assert fix.explanation.endswith(
        "package.json is edited here; the command brings package-lock.json up to it."
    )
    (mended,) = report.mended  # though no lock file lies beside the copy that is proved
    assert '"qs": "^6.7.3"' in mended.after
    assert {one.place.file for one in report.findings if one.id in fix.finding_ids} == {
        "package-lock.json"
    }
    (mended,) = report.mended
    assert (mended.path, mended.after) == ("package.json", mended.before.replace("6.5.0", "6.7.3"))


def test_versions_of_go_are_applied_together(tmp_path: Path) -> None:
    text = "module a\n\ngo 1.20\n\nrequire (\n\texample.org/b v1.0.0\n\texample.org/c v1.0.0\n)\n"
    report = scanned(
        tmp_path,
        {"Go:example.org/b": "1.2.0", "Go:example.org/c": "1.3.0"},
        go__mod=text,
        go__sum="example.org/b v1.0.0 h1:x\n",
    )
    after = text.replace("b v1.0.0", "b v1.2.0").replace("c v1.0.0", "c v1.3.0")
    assert [(one.path, one.after) for one in report.mended] == [("go.mod", after)]


def test_a_new_major_version_is_less_sure(tmp_path: Path) -> None:
    report = scanned(
        tmp_path,
        {"PyPI:one": "2.0", "PyPI:two": "1.5"},
        requirements__txt="one==1.0\ntwo==1.0\n",
    )
    sure = {fix.edits[0].replacement: fix.confidence for fix in report.fixes}
    assert sure == {"one==2.0": "medium", "two==1.5": "high"}


@pytest.mark.parametrize(
    "text", ["one==1.0 --hash=sha256:00\n", "one==1.0 \\\n    --hash=sha256:00\n"]
)
def test_a_pin_with_hashes_is_left_to_its_tool(text: str, tmp_path: Path) -> None:
    report = scanned(tmp_path, {"PyPI:one": "1.5"}, requirements__txt=text)
    assert not report.fixes
    assert all("Upgrade to 1.5" in one.message for one in report.findings if one.advisory)


def test_most_of_what_manifests_name_gets_a_proved_upgrade(tmp_path: Path) -> None:
    names = [f"p{number}" for number in range(8)]
    constraints = ("^1.0.0", "~1.0.0", ">=1.0.0", "1.0.0", "^1.0", "1.0.0", "^1.0.0", "*")
    lines = ",\n".join(f'"{n}": "{c}"' for n, c in zip(names, constraints, strict=True))
    report = scanned(
        tmp_path,
        {f"npm:{name}": "1.2.0" for name in names},
        package__json=f'{{"private": true, "dependencies": {{\n{lines}\n}}}}\n',
        package_lock__json=npm_lock(**dict.fromkeys(names, "1.0.0")),
    )
    asked = [one.id for one in report.findings if one.advisory and one.advisory.upgrade]
    fixed = {id for fix in report.fixes for id in fix.finding_ids}
    assert len(asked) == 2 * len(names)
    assert len(fixed & set(asked)) / len(asked) >= WANTED
