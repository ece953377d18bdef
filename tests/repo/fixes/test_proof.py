"""An edit is offered only when it applied, parses, and leaves the finding gone and nothing new."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from mergegate.core.finding import Advisory, Edit, Finding, Place
from mergegate.core.report import EngineRun, Fix
from mergegate.core.severity import Category, Kind, Severity
from mergegate.core.tree import SourceFile, Tree
from mergegate.repo.assemble import point_to
from mergegate.repo.engines.documents import DocumentEngine, fact
from mergegate.repo.engines.zizmor import ZizmorEngine
from mergegate.repo.fixes import gates, mending, proof
from mergegate.repo.fixes.candidate import Candidate
from mergegate.repo.fixes.edits import apply
from mergegate.repo.fixes.proof import FixVerifier, verified_fixes
from mergegate.repo.fixes.syntax import parses
from mergegate.sandbox.engines.engine import Answers, EngineContext
from mergegate.sandbox.files.record import source_file
from mergegate.sandbox.files.stage import Stage

BAD = "import yaml\n\ndata = yaml.load(text)\n"


def rescan(tree: Tree) -> Sequence[Finding]:
    """A scanner that knows two rules: ``yaml.load`` and ``eval``."""
    return [
        finding(file.path, number, rule)
        for file in tree.files
        for number, line in enumerate(file.location.read_text().split("\n"), start=1)
        for rule, needle in (("load", "yaml.load("), ("eval", "eval("))
        if needle in line
    ]


def read(file: SourceFile) -> bytes:
    return file.location.read_bytes()


def finding(path: str, line: int, rule: str = "load", edit: Edit | None = None) -> Finding:
    return Finding(
        rule_id=rule,
        title="Title",
        message="Message.",
        severity=Severity.HIGH,
        category=Category.SECURITY,
        kind=Kind.CODE,
        place=Place(path, line, line),
        id=f"{path}-{line}-{rule}",
        repair=edit,
    )


def fixes(tmp_path: Path, replacement: str, text: str = BAD, path: str = "a.py") -> tuple[Fix, ...]:
    location = tmp_path / "original"
    location.write_text(text)
    tree = Tree((source_file(path, location, text.encode()),))
    line = text.split("\n").index("data = yaml.load(text)") + 1
    found = [finding(path, line, edit=Edit(path, line, line, replacement))]
    bench = tmp_path / "bench"
    bench.mkdir()
    verifier = FixVerifier(bench, read, source_file, rescan)
    return verified_fixes(found, rescan(tree), tree, verifier).fixes


def test_a_good_edit_is_verified_by_every_gate(tmp_path: Path) -> None:
    (made,) = fixes(tmp_path, "data = yaml.safe_load(text)")
    assert made.verified == tuple(gates.NAMES)
    assert made.edits == (Edit("a.py", 3, 3, "data = yaml.safe_load(text)"),)


@pytest.mark.parametrize(
    ("replacement", "why"),
    [
        ("data = yaml.safe_load(text", "does not parse"),
        ("data = yaml.load(text, None)", "the finding stays"),
        ("data = eval(text)", "something new appears"),
        ("data = yaml.load(text)", "nothing changes"),
        ("data = 1\ndata = yaml.load(text)", "the finding only moves"),
    ],
)
def test_an_edit_that_fails_a_gate_is_not_offered(
    tmp_path: Path, replacement: str, why: str
) -> None:
    assert fixes(tmp_path, replacement) == (), why


def test_an_edit_in_a_language_that_cannot_be_parsed_is_not_offered(tmp_path: Path) -> None:
    assert fixes(tmp_path, "data = yaml.safe_load(text)", path="a.rb") == ()


def test_an_engine_knows_nothing_of_arguments_that_are_handed_over_as_a_list(
    tmp_path: Path,
) -> None:
    """``yaml.safe_load`` takes no loader, which may be among them."""
    text = BAD.replace("yaml.load(text)", "yaml.load(*text)")
    location = tmp_path / "original"
    location.write_text(text)
    tree = Tree((source_file("a.py", location, text.encode()),))
    found = [finding("a.py", 3, edit=Edit("a.py", 3, 3, "data = yaml.safe_load(*text)"))]
    (tmp_path / "bench").mkdir()
    verifier = FixVerifier(tmp_path / "bench", read, source_file, rescan)
    assert verified_fixes(found, rescan(tree), tree, verifier).fixes == ()


def test_windows_line_ends_stay() -> None:
    assert apply("a\r\nb\r\nc", Edit("f", 2, 2, "x\ny")) == "a\r\nx\r\ny\r\nc"


def test_an_empty_replacement_deletes_the_lines() -> None:
    assert apply("a\nb\nc", Edit("f", 2, 2, "")) == "a\nc"


@pytest.mark.parametrize("lines", [(0, 1), (2, 9), (3, 2)])
def test_a_range_that_does_not_fit_is_refused(lines: tuple[int, int]) -> None:
    assert apply("a\nb\nc", Edit("f", *lines, "x")) is None


FLAWS = {
    "a==1": ("A", "B"),
    "a==2": ("B",),
    "b==1": ("C",),
    "b==2": ("C",),
    "c==1": ("D",),
    "d==1": ("F",),
}
"""Line → the advisories on it."""
LISTED = "a==1\nb==1\nc==1\n"
UPGRADES = {"a==1": "a==2", "b==1": "b==2", "c==1": "c==9"}


def advised(tree: Tree) -> list[Finding]:
    """A scanner that knows advisories, and whose last package's upgrade has a flaw of its own."""
    known = FLAWS | {"c==9": ("E",)}
    return [
        replace(
            finding(file.path, number, "advisory"),
            kind=Kind.DEPENDENCY,
            id=f"{line}-{flaw}",
            group_key=flaw,
            repair=Edit(file.path, number, number, UPGRADES[line]) if line in UPGRADES else None,
        )
        for file in tree.files
        for number, line in enumerate(file.location.read_text().split("\n"), start=1)
        for flaw in known.get(line, ())
    ]


def test_upgrades_of_one_file_are_proved_together_and_judged_alone(tmp_path: Path) -> None:
    location = tmp_path / "original"
    location.write_text(LISTED)
    tree = Tree((source_file("requirements.txt", location, LISTED.encode()),))
    bench = tmp_path / "bench"
    bench.mkdir()
    scanned: list[Tree] = []

    def rescanned(changed: Tree) -> list[Finding]:
        scanned.append(changed)
        return advised(changed)

    found = advised(tree)
    made = verified_fixes(found, found, tree, FixVerifier(bench, read, source_file, rescanned))
    assert [(one.finding_ids, one.edits[0].replacement) for one in made.fixes] == [
        (("a==1-A",), "a==2")
    ]
    assert [len(changed.files) for changed in scanned] == [1]
    assert (bench / "0").read_text() == "a==2\nb==2\nc==9\n"


@pytest.mark.parametrize("limit", ["MOST_PROOFS", "MOST_PROOF_BYTES"])
def test_more_edits_than_can_be_proved_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(proof, limit, 1)
    text = BAD + "data = yaml.load(text)\n"
    location = tmp_path / "original"
    location.write_text(text)
    tree = Tree((source_file("a.py", location, text.encode()),))
    (tmp_path / "bench").mkdir()
    found = [
        finding("a.py", line, edit=Edit("a.py", line, line, "data = yaml.safe_load(text)"))
        for line in (3, 4)
    ]
    verifier = FixVerifier(tmp_path / "bench", read, source_file, rescan)
    made = verified_fixes(found, rescan(tree), tree, verifier)
    assert ([one.finding_ids for one in made.fixes], made.untried) == ([("a.py-3-load",)], 1)


def test_findings_point_to_their_fix(tmp_path: Path) -> None:
    offered = fixes(tmp_path, "data = yaml.safe_load(text)")
    marked = point_to([finding("a.py", 3), finding("a.py", 9)], offered)
    assert [one.fix_id for one in marked] == [offered[0].id, None]


@pytest.mark.parametrize(
    ("language", "suffix", "good", "bad"),
    [
        ("python", ".py", "x = 1", "x = ("),
        ("javascript", ".js", "const x = <b>1</b>;", "const = ;"),
        ("typescript", ".ts", "let x = <any>y;", "let x: = 1"),
        ("typescript", ".tsx", "let x = <b>1</b>;", "let x: = 1"),
        ("java", ".java", "class A { int x; }", "class A { int ; "),
        ("go", ".go", "package a\nvar x = 1\n", "package a\nvar = \n"),
        ("json", ".json", '{"a": 1}', '{"a": }'),
        ("yaml", ".yml", "a: 1", "a: [1"),
        (None, ".toml", "a = 1", "a = "),
        (None, ".xml", "<a><b/></a>", "<a><b></a>"),
        (None, ".csproj", "<Project/>", '<!DOCTYPE a [<!ENTITY x "y">]><Project>&x;</Project>'),
        (None, ".cfg", "[a]\nb = 1\n", "b = 1\n"),
    ],
)
def test_each_language_is_parsed(language: str | None, suffix: str, good: str, bad: str) -> None:
    assert parses(good, language, suffix) is True
    assert parses(bad, language, suffix) is False


def test_an_unknown_language_cannot_be_judged() -> None:
    assert parses("x", "ruby", ".rb") is None


def test_a_hostile_depth_of_nesting_is_no_crash() -> None:
    assert parses("(" * 100_000, "python", ".py") is False
    assert parses("[" * 100_000, "json", ".json") is False


CLUSTER = """resource "a" "b" {
  c {
    on = false
  }
}

resource "a" "d" {
  on = false
}
"""


@pytest.mark.parametrize(
    ("edits", "why"),
    [
        ((Edit("a.tf", 3, 3, "    on = true"),), ""),
        ((Edit("a.tf", 2, 5, "  on = true\n}"),), ""),
        ((Edit("a.tf", 3, 3, "    on = true"), Edit("a.tf", 8, 8, "  on = true")), "outside"),
        ((Edit("a.tf", 3, 3, '    on = true\n  }\n  provisioner "x" {'),), "what others"),
        ((Edit("a.tf", 1, 1, 'resource "a" "z" {'),), "what others"),
    ],
)
def test_of_terraform_the_resource_alone_changes(edits: tuple[Edit, ...], why: str) -> None:
    file = source_file("a.tf", Path(__file__), CLUSTER.encode())
    one = Candidate(finding("a.tf", 3), edits, file, CLUSTER)
    said = gates.refusal(one, gates.BEFORE)
    assert (why in said[1]) if said and why else said is None


def test_what_a_recipe_says_is_no_secret() -> None:
    known = 'ssl_policy = "ELBSecurityPolicy-TLS13-1-2-2021-06"'
    other = known.replace("2021-06", "2021-06-8fY3kQz")
    assert [mending._brings("a.tf", line) for line in (known, other)] == [False, True]


def test_a_password_in_a_line_of_settings_is_one_without_quotes() -> None:
    line = "- rds: {login_password: swordfish, publicly_accessible: false}"
    assert [mending._brings(path, line) for path in ("a.yml", "a.py")] == [True, False]


def test_a_copy_is_known_by_the_path_of_what_it_is_a_copy_of() -> None:
    copy = source_file("0/.github/workflows/a.yml", Path(__file__), b"on: push\n")
    assert not ZizmorEngine().wants(copy)
    assert ZizmorEngine().wants(replace(copy, copy_of=".github/workflows/a.yml"))


def test_an_included_pipeline_is_still_one_in_its_copy(tmp_path: Path) -> None:
    content = b"a:\n  script: [b]\n"
    location = tmp_path / "part.yml"
    location.write_bytes(content)
    file = source_file("0/part.yml", location, content)
    engine = DocumentEngine()
    for one, seen in ((file, 0), (replace(file, copy_of="part.yml"), 1)):
        with Stage() as stage:
            answers = engine.examine([one], EngineContext(stage)).answers
        known = Answers(((one, answers[one.key]),), EngineRun(name="documents"), ())
        assert len(fact(known).files) == seen


def test_a_range_is_proved_by_a_scan_that_tells_the_old_version(tmp_path: Path) -> None:
    text = "d>=1\nc>=1\n"
    location = tmp_path / "original"
    location.write_text(text)
    tree = Tree((source_file("requirements.in", location, text.encode()),))
    (tmp_path / "bench").mkdir()
    found = [
        replace(
            finding("requirements.in", line, "advisory"),
            kind=Kind.DEPENDENCY,
            place=Place("lock", line, line),
            id=name,
            group_key=flaw,
            repair=Edit("requirements.in", line, line, f"{name}>=2"),
            trial=Edit("requirements.in", line, line, f"{name}==2"),
            advisory=Advisory(
                package=name, ecosystem="PyPI", installed_version="1", upgrade="2", advisory_id=flaw
            ),
        )
        for line, name, flaw in ((1, "d", "F"), (2, "c", "of another scanner"))
    ]
    verifier = FixVerifier(tmp_path / "bench", read, source_file, advised)
    made = verified_fixes(found, found, tree, verifier)
    assert [(one.finding_ids, one.edits[0].replacement) for one in made.fixes] == [(("d",), "d>=2")]
