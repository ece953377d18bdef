"""How much of what is wrong in infrastructure is told, on examples of somebody else.

    python -m bench.pairs [KIND...] [--write] [--missed] [--checkov PROGRAM]

``pairs/<kind>/*.toml`` holds files with one thing wrong, and the same files with that one thing
mended. They were written from the providers' documentation by somebody who had seen no rule of
Mergegate; who mends what ``--missed`` names sees one half of them alone. A bad file is found where
the scan tells something of it that it does not tell of the good one; a good file is silent where
nothing of medium or more is told of it. ``--write`` puts the shares into ``pairs.md``; with
``--checkov`` that scanner, in an environment of its own, is asked the same, and ``--missed`` names
its rules too.
"""

import argparse
import hashlib
import json
import re
import shutil
import subprocess
import tempfile
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mergegate.core.finding import Finding
from mergegate.core.severity import Aspect, Severity
from mergegate.repo.scan import Request, scan
from mergegate.repo.toolbox import scan_toolbox

PAIRS = Path(__file__).with_suffix("")
TABLES = PAIRS.with_suffix(".md")
ASPECTS = frozenset({Aspect.CODE, Aspect.SECRETS, Aspect.IAC})
_WORKFLOWS = ".github/workflows/"
_ALONE = {
    "ansible/vars-password": "",
    "cloudformation/cfn-role-trusts-everyone": "",
    "openapi/swagger2-http-scheme": "",
    "terraform-aws/clb-plain-listener": "",
    "terraform-aws/eks-outdated-version": "",
    "terraform-aws/log-group-short-retention": "",
    "terraform-aws/oidc-client-secret-literal-in-listener": "",
    "terraform-aws/s3-lifecycle-multipart-never-aborted": "",
    "terraform-aws/s3-policy-principal-star-read": "reading is what the bucket of a website is for",
    "terraform-aws/secretsmanager-rotation-yearly": "",
    "terraform-aws/ssm-parameter-plain-string": "",
}
"""What checkov alone had found, and was looked at for that; why it is not told where it is not."""
ABOUT = """# Examples of infrastructure that is wrong, and mended

Written by `python -m bench.pairs --write`. The examples lie in `pairs/`: files as people write
them with one thing wrong, and the same files with that mended the way the provider's documentation
says. They were written from there by somebody who had seen no check. A bad file is found where
something is told of it that is not told of the good one; a good file is silent where nothing of
medium or more is told of it. Half of them, by their names' digests, were never shown to those who
wrote checks afterwards.

"""


@dataclass(frozen=True)
class Pair:
    """One matter, and what is told where it is wrong and where it is mended."""

    kind: str
    name: str
    what: str
    severity: Severity
    bad: Mapping[str, str]
    """Path → text."""
    good: Mapping[str, str]

    @property
    def is_shown(self) -> bool:
        """Whether those who write checks see it."""
        is_of_half = hashlib.sha256(self.folder.encode()).digest()[0] % 2 == 0
        return is_of_half or self.folder in _ALONE

    @property
    def folder(self) -> str:
        """Where its files lie in a tree of all pairs."""
        return f"{self.kind}/{self.name}"


@dataclass
class Told:
    """What a scanner tells of the files of each pair: severities by rule."""

    of: dict[str, dict[str, list[Severity]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(list))
    )

    def more(self, pair: Pair, other: "Told") -> list[str]:
        """The rules that tell more of the pair here than there."""
        there = other.of[pair.folder]
        told = self.of[pair.folder].items()
        return sorted(rule for rule, ones in told if len(ones) > len(there.get(rule, ())))

    def worst(self, pair: Pair) -> Severity:
        """The worst that is told of the pair."""
        told = (one for ones in self.of[pair.folder].values() for one in ones)
        return max(told, default=Severity.INFO)


def pairs(kinds: Sequence[str]) -> Iterator[Pair]:
    """Every pair of the kinds, of all without any."""
    for file in sorted(PAIRS.glob("*/*.toml")):
        kind = file.parent.name
        if kinds and kind not in kinds:
            continue
        for name, row in tomllib.loads(file.read_text("utf-8")).items():
            one = row.get("file", "")
            bad = row.get("bad_files") or {one: row["bad"]}
            good = row.get("good_files") or {one: row["good"]}
            yield Pair(kind, name, row["what"], Severity.named(row["severity"]), bad, good)


def placed(pair: Pair, path: str) -> str:
    """Where a file of a pair lies: workflows count at the top of a repository alone."""
    if path.startswith(_WORKFLOWS):
        name = f"{pair.kind}--{pair.name}--{Path(path).name}"
        return f"{_WORKFLOWS}{name}"
    return f"{pair.folder}/{path}"


def pair_of(path: str) -> str:
    """The folder of the pair that a file of a tree belongs to."""
    if path.startswith(_WORKFLOWS):
        return "/".join(Path(path).name.split("--")[:2])
    return "/".join(path.split("/")[:2])


def laid_out(root: Path, all_pairs: Sequence[Pair], side: str) -> None:
    """Write one side of all pairs below ``root``."""
    for pair in all_pairs:
        for path, text in getattr(pair, side).items():
            target = root / placed(pair, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, "utf-8", newline="")


def ours(root: Path) -> Told:
    """What Mergegate tells."""
    told = Told()
    report = scan(Request(root, ASPECTS), scan_toolbox(fetch=False, cached=False))
    for one in (*report.issues, *report.risks):
        _note(told, one)
    return told


def _note(told: Told, one: Finding) -> None:
    told.of[pair_of(one.place.file)][one.rule_id].append(one.severity)


def checkovs(program: str, root: Path) -> Told:
    """What checkov tells; it knows no severities without an account."""
    told = Told()
    asked = [program, "-d", str(root), "-o", "json", "--quiet", "--compact", "--soft-fail"]
    done = subprocess.run(asked, capture_output=True, text=True, check=True)
    answer = json.loads(done.stdout)
    for part in answer if isinstance(answer, list) else [answer]:
        for one in part.get("results", {}).get("failed_checks", ()):
            path = re.sub(r"^/+", "", one.get("repo_file_path") or one["file_path"])
            path = path.split(f"{root.name}/", 1)[-1]
            told.of[pair_of(path)][one["check_id"]].append(Severity.MEDIUM)
    return told


def measured(all_pairs: Sequence[Pair], checkov: str) -> tuple[list[dict[str, Told]], list[str]]:
    """What each scanner tells of the bad files and of the good ones, and the scanners' names."""
    told, names = [], ["mergegate", *(["checkov"] if checkov else [])]
    with tempfile.TemporaryDirectory() as made:
        for side in ("bad", "good"):
            root = Path(made, side)
            laid_out(root, all_pairs, side)
            one = {"mergegate": ours(root)}
            if checkov:
                one["checkov"] = checkovs(checkov, root)
            told.append(one)
            shutil.rmtree(root)
    return told, names


def main(kinds: Sequence[str], *, write: bool, missed: bool, checkov: str) -> None:
    """Measure and print."""
    all_pairs = list(pairs(kinds))
    (bad, good), names = measured(all_pairs, checkov)
    found = {name: {p.folder for p in all_pairs if bad[name].more(p, good[name])} for name in names}
    silent = {p.folder for p in all_pairs if good["mergegate"].worst(p) < Severity.MEDIUM}
    table = [_head(names), *_rows(all_pairs, found, silent, names)]
    print("\n".join(table))
    if missed:
        for pair in filter(lambda one: one.is_shown, all_pairs):
            if pair.folder not in found["mergegate"]:
                also = bad["checkov"].more(pair, good["checkov"]) if checkov else []
                alone = f"  [{', '.join(also)}]" if also else ""
                print(f"missed {pair.severity.label:9}{pair.folder}: {pair.what}{alone}")
            if pair.folder not in silent:
                loud = {r: s for r, s in good["mergegate"].of[pair.folder].items()
                        if max(s) >= Severity.MEDIUM}  # fmt: skip
                print(f"loud   {pair.folder}: {', '.join(loud)}")
    if write:
        unfound = [
            f"- `{one.folder}`: {one.what} ({', '.join(ids)}):"
            f" {_ALONE.get(one.folder, 'not looked at')}"
            for one in all_pairs
            if checkov and one.folder not in found["mergegate"]
            if (ids := bad["checkov"].more(one, good["checkov"]))
        ]
        TABLES.write_text(_page(table, unfound), "utf-8")


def _head(names: Sequence[str]) -> str:
    others = "".join(f" found by {name} |" for name in names[1:])
    marks = "---|" * (4 + len(names))
    return f"| Kind | Pairs | Bad found | Of medium and more | Good silent |{others}\n|{marks}"


def _rows(
    all_pairs: Sequence[Pair],
    found: Mapping[str, set[str]],
    silent: set[str],
    names: Sequence[str],
) -> Iterator[str]:
    groups: dict[str, list[Pair]] = defaultdict(list)
    for pair in all_pairs:
        groups[pair.kind].append(pair)
    whole = {"**all**": list(all_pairs), "of these never shown": _unshown(all_pairs)}
    for kind, some in [*sorted(groups.items()), *whole.items()]:
        grave = [one for one in some if one.severity >= Severity.MEDIUM]
        told = Counter(name for name in names for one in some if one.folder in found[name])
        heard = sum(one.folder in found["mergegate"] for one in grave)
        quiet = sum(one.folder in silent for one in some)
        cells = [kind, f"{len(some):,}", _share(told["mergegate"], len(some))]
        cells += [f"{heard:,} of {len(grave):,} ({_share(heard, len(grave))})"]
        cells += [_share(quiet, len(some)), *(_share(told[one], len(some)) for one in names[1:])]
        yield f"| {' | '.join(cells)} |"


def _unshown(all_pairs: Sequence[Pair]) -> list[Pair]:
    return [one for one in all_pairs if not one.is_shown]


def _share(part: int, whole: int) -> str:
    return f"{100 * part // whole} %" if whole else "–"


def _page(table: Sequence[str], alone: Sequence[str]) -> str:
    found = ("\n## What checkov alone finds, and why we do not\n", *alone) if alone else ()
    return ABOUT + "\n".join((*table, *found)) + "\n"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kinds", nargs="*")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--missed", action="store_true")
    parser.add_argument("--checkov", default="")
    arguments = parser.parse_args()
    main(
        arguments.kinds,
        write=arguments.write,
        missed=arguments.missed,
        checkov=arguments.checkov,
    )
