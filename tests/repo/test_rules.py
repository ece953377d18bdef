"""Every semgrep rule of ours against its annotated example; tests/rules/README.md says how."""

import ast
import importlib.util
import json
import pydoc
import re
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import pytest
import yaml

from mergegate.core.severity import Aspect
from mergegate.repo import rules
from mergegate.repo.engines.semgrep import Semgrep
from mergegate.repo.rules.gates import gated, words_in
from mergegate.sandbox.engines.engine import EngineContext
from mergegate.sandbox.files import programs
from mergegate.sandbox.files.record import source_file
from mergegate.sandbox.files.stage import Stage

ROOT = Path(__file__).parents[2]
RULES = ROOT / "src" / "mergegate" / "repo" / "rules"
EXAMPLES = ROOT / "tests" / "rules"
RULE_FILES = sorted(RULES.glob("*/*.yaml"))
FOLDERS = sorted({path.parent.name for path in RULE_FILES})

ANALYZERS = {
    ".cjs": "javascript",
    ".dockerfile": "dockerfile",
    ".go": "go",
    ".html": "html",
    ".java": "java",
    ".js": "javascript",
    ".json": "json",
    ".jsx": "javascript",
    ".mjs": "javascript",
    ".py": "python",
    ".tf": "terraform",
    ".ts": "typescript",
    ".tsx": "typescript",
    ".yaml": "yaml",
    ".yml": "yaml",
}
"""What semgrep-core parses an example with, by its extension."""

PREFIXES = {
    "dockerfile": ("dockerfile", "docker"),
    "javascript": ("javascript", "js", "typescript"),
    "kubernetes": ("kubernetes", "k8s"),
    "terraform": ("terraform", "tf"),
    "typescript": ("typescript", "ts"),
}
"""First words of the rule ids of a folder, where the folder's own name is not the only one."""

LEVELS = {
    "critical": "ERROR",
    "high": "ERROR",
    "medium": "WARNING",
    "low": "INFO",
    "info": "INFO",
}
NAMING = {"$ATTRIBUTE", "$CLASS", "$FUNCTION", "$METHOD", "$MODULE", "$RESOURCE"}
"""What a message may quote from the scanned code: names. Never a value, it may be a secret."""

ANNOTATION = re.compile(r"\{?\s*(?:#|//|/\*|<!--)\s*(?P<verdict>ruleid|ok)\s*:\s*(?P<ids>.*)")
CLOSING = re.compile(r"\s*(?:-->|\*/\}?)\s*$")
SENTENCE_BREAK = re.compile(r"[.?!]\s+[A-Z`\"'(]")


@dataclass(frozen=True)
class Example:
    """One annotated source file."""

    path: Path

    @cached_property
    def annotations(self) -> dict[int, tuple[str, str]]:
        """Line that an annotation speaks of (the next that is none) to its verdict and rule id."""
        spoken: dict[int, tuple[str, str]] = {}
        pending: tuple[str, str] | None = None
        for number, line in enumerate(self.path.read_text("utf-8").splitlines(), start=1):
            found = ANNOTATION.match(line.strip())
            if found:
                assert pending is None, f"{self.path.name}:{number}: two annotations in a row"
                pending = (found["verdict"], CLOSING.sub("", found["ids"]).strip())
            elif pending:
                spoken[number] = pending
                pending = None
        assert pending is None, f"{self.path.name}: the last annotation speaks of no line"
        return spoken

    def lines(self, verdict: str) -> set[int]:
        return {line for line, (said, _) in self.annotations.items() if said == verdict}

    @property
    def fixed(self) -> Path:
        return self.path.with_name(f"{self.path.stem}.fixed{self.path.suffix}")


@dataclass(frozen=True)
class RuleFile:
    """One rule and its examples."""

    path: Path

    @cached_property
    def rule(self) -> dict[str, Any]:
        document = yaml.load(self.path.read_text("utf-8"), Loader=yaml.CSafeLoader)
        assert list(document) == ["rules"], f"{self.path.name}: one key, `rules`"
        assert len(document["rules"]) == 1, f"{self.path.name}: one rule a file"
        files = (RULES / rules.SHARED, self.path)
        return rules.parsed({one.name: one.read_bytes() for one in files})[0]

    @property
    def id(self) -> str:
        return self.path.stem

    @property
    def folder(self) -> str:
        return self.path.parent.name

    @cached_property
    def examples(self) -> list[Example]:
        return [Example(p) for p in example_files(self.folder) if rule_of(p) == self.id]


@dataclass(frozen=True)
class Scan:
    """What semgrep-core said of all examples of one folder."""

    answer: dict[str, Any] = field(repr=False)

    def hits(self, rule_id: str, path: Path) -> list[dict[str, Any]]:
        return [
            result
            for result in self.answer["results"]
            if result["check_id"] == rule_id and result["path"] == str(path)
        ]

    def lines(self, rule_id: str, path: Path) -> set[int]:
        return {hit["start"]["line"] for hit in self.hits(rule_id, path)}


def rule_of(example: Path) -> str:
    """The id an example's name begins with: ``x.py``, ``x.renamed.py``, ``x.fixed.py``."""
    return example.name.partition(".")[0]


@cache
def example_files(folder: str) -> list[Path]:
    """All annotated examples of a folder, without the expected results of fixes."""
    paths = sorted(path for path in (EXAMPLES / folder).glob("*") if path.is_file())
    return [path for path in paths if not path.stem.endswith(".fixed")]


def semgrep_core() -> Path:
    package = importlib.util.find_spec("semgrep")
    assert package is not None
    assert package.origin is not None
    return Path(package.origin).parent / "bin" / "semgrep-core"


def readable_rules(folder: str) -> Iterator[dict[str, Any]]:
    """The folder's rules; a file that cannot be read fails its own test, not its neighbours'."""
    for path in sorted((RULES / folder).glob("*.yaml")):
        try:
            yield RuleFile(path).rule
        except (AssertionError, TypeError, yaml.YAMLError):
            continue


def target(path: Path) -> list[Any]:
    place = {"fpath": str(path), "ppath": f"/{path.name}"}
    analyzer = ANALYZERS[path.suffix]
    return ["CodeTarget", {"path": place, "analyzer": analyzer, "products": ["sast"]}]


def run_semgrep(folder: str, room: Path) -> Scan:
    """Run every rule of ``folder`` over its examples and their fixed versions in one call."""
    document, targets = room / "rules.json", room / "targets.json"
    gates = rules.gate_table()
    given = [gated(rule, gates.get(rule["id"])) for rule in readable_rules(folder)]
    examples = [Example(path) for path in example_files(folder)]
    paths = [e.path for e in examples] + [e.fixed for e in examples if e.fixed.is_file()]
    document.write_text(json.dumps({"rules": given}), "utf-8")
    targets.write_text(json.dumps(["Targets", [target(path) for path in paths]]), "utf-8")
    argv: list[str | Path] = [
        semgrep_core(),
        "-json_nodots",
        "-rules",
        document,
        "-targets",
        targets,
        "-j",
        "2",
    ]
    done = subprocess.run(argv, capture_output=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr.decode()
    return Scan(json.loads(done.stdout))


@pytest.fixture(scope="session")
def scan(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Scan]:
    """The scan of a folder, made once a session."""

    @cache
    def made(folder: str) -> Scan:
        return run_semgrep(folder, tmp_path_factory.mktemp(folder))

    return made


def test_there_are_rules() -> None:
    assert "python" in FOLDERS


def test_rule_ids_are_unique() -> None:
    ids = [path.stem for path in RULE_FILES]
    assert sorted(set(ids)) == sorted(ids)


def test_what_rules_share_is_shared_by_several() -> None:
    text = "".join(path.read_text("utf-8") for path in RULE_FILES)
    uses = Counter(re.findall(r"- shared: (\S+)", text))
    shared = yaml.load((RULES / rules.SHARED).read_bytes(), Loader=yaml.CSafeLoader)
    assert {name for name, count in uses.items() if count > 1} == shared.keys()


@pytest.mark.parametrize("folder", FOLDERS)
def test_semgrep_accepts_every_rule_and_every_example(
    folder: str, scan: Callable[[str], Scan]
) -> None:
    answer = scan(folder).answer
    assert answer["errors"] == []
    assert answer["skipped_rules"] == []
    assert answer["paths"].get("skipped", []) == []


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_example_belongs_to_a_rule(folder: str) -> None:
    stems = {path.stem for path in (RULES / folder).glob("*.yaml")}
    files = [path for path in (EXAMPLES / folder).glob("*") if path.is_file()]
    assert [path.name for path in files if rule_of(path) not in stems] == []


def file_holds_the_rule_it_is_named_after(rule_file: RuleFile) -> None:
    assert rule_file.rule["id"] == rule_file.id
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", rule_file.id)
    prefixes = PREFIXES.get(rule_file.folder, (rule_file.folder,))
    assert rule_file.id.startswith(tuple(f"{prefix}-" for prefix in prefixes))


def file_has_no_yaml_anchors(rule_file: RuleFile) -> None:
    """Semgrep rejects them, and PyYAML would have resolved them before semgrep sees them."""
    tokens = yaml.scan(rule_file.path.read_text("utf-8"), Loader=yaml.CSafeLoader)
    assert not any(isinstance(token, yaml.AnchorToken | yaml.AliasToken) for token in tokens)


def metadata_is_complete(rule_file: RuleFile) -> None:
    metadata = rule_file.rule["metadata"]
    assert re.fullmatch(r"[A-Z0-9`].{5,79}(?<![.\s])", metadata["title"])
    assert metadata["severity"] in LEVELS
    assert rule_file.rule["severity"] == LEVELS[metadata["severity"]]
    assert metadata["confidence"] in {"high", "medium", "low"}
    assert metadata["category"] in {"Security", "IaC"}


def metadata_refers_to_its_sources(rule_file: RuleFile) -> None:
    metadata = rule_file.rule["metadata"]
    assert metadata["cwe"]
    assert all(re.fullmatch(r"CWE-\d+", cwe) for cwe in metadata["cwe"])
    assert all(re.fullmatch(r"[A-Z]+\d+:20\d\d", item) for item in metadata.get("owasp", []))
    assert metadata["references"]
    assert all(re.fullmatch(r"https://\S+", link) for link in metadata["references"])


def covering_rules_exist(rule_file: RuleFile) -> None:
    """``covered-by`` names rules whose hit on the same lines makes this one redundant."""
    stems = {path.stem for path in RULE_FILES}
    assert set(rule_file.rule["metadata"].get("covered-by", [])) <= stems - {rule_file.id}


def message_says_what_is_wrong_and_what_to_do(rule_file: RuleFile) -> None:
    message = " ".join(rule_file.rule["message"].split())
    assert message.endswith(".")
    assert SENTENCE_BREAK.search(message)
    assert set(re.findall(r"\$[A-Z][A-Z0-9_]*", message)) <= NAMING


def rule_has_two_hits_and_two_near_misses(rule_file: RuleFile) -> None:
    for verdict in ("ruleid", "ok"):
        assert sum(len(example.lines(verdict)) for example in rule_file.examples) >= 2, verdict


def annotations_name_the_rule(rule_file: RuleFile) -> None:
    named = {rule_id for e in rule_file.examples for _, rule_id in e.annotations.values()}
    assert named == {rule_file.id}


def rule_hits_exactly_the_annotated_lines(rule_file: RuleFile, found: Scan) -> None:
    for example in rule_file.examples:
        assert found.lines(rule_file.id, example.path) == example.lines("ruleid"), example.path.name


def gate_is_open_for_the_words_of_each_hit(rule_file: RuleFile) -> None:
    gate = rules.gate_table().get(rule_file.id)
    hit = [one.path for one in rule_file.examples if one.lines("ruleid")]
    assert gate is None or all(gate.is_open(words_in([path])) for path in hit)


def fix_gives_the_expected_file(rule_file: RuleFile, found: Scan) -> None:
    assert any(example.fixed.is_file() for example in rule_file.examples) == (
        "fix" in rule_file.rule
    )
    for example in rule_file.examples:
        if example.fixed.is_file():
            hits = found.hits(rule_file.id, example.path)
            assert applied(example.path, hits) == example.fixed.read_text("utf-8")


def fixed_file_is_clean(rule_file: RuleFile, found: Scan) -> None:
    for example in rule_file.examples:
        if example.fixed.is_file():
            assert found.lines(rule_file.id, example.fixed) == set()
            if example.fixed.suffix == ".py":
                ast.parse(example.fixed.read_text("utf-8"))


def applied(path: Path, hits: list[dict[str, Any]]) -> str:
    """The text of ``path`` after the fix of every hit; offsets of semgrep-core count bytes."""
    content = path.read_bytes()
    edits = {(h["start"]["offset"], h["end"]["offset"], h["extra"]["fix"]) for h in hits}
    for start, end, fix in sorted(edits, reverse=True):
        content = content[:start] + fix.encode() + content[end:]
    return content.decode()


IN_ITSELF = (
    file_holds_the_rule_it_is_named_after,
    file_has_no_yaml_anchors,
    metadata_is_complete,
    metadata_refers_to_its_sources,
    covering_rules_exist,
    message_says_what_is_wrong_and_what_to_do,
    rule_has_two_hits_and_two_near_misses,
    annotations_name_the_rule,
    gate_is_open_for_the_words_of_each_hit,
)
BY_SEMGREP = (
    rule_hits_exactly_the_annotated_lines,
    fix_gives_the_expected_file,
    fixed_file_is_clean,
)


@pytest.mark.parametrize("path", RULE_FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_rule_is_whole_and_does_what_its_example_says(
    path: Path, scan: Callable[[str], Scan]
) -> None:
    """One test a rule; the function that fails says what is wrong."""
    rule_file = RuleFile(path)
    for holds in IN_ITSELF:
        holds(rule_file)
    for agrees in BY_SEMGREP:
        agrees(rule_file, scan(rule_file.folder))


def test_every_language_has_a_known_flaw_that_its_rules_find(tmp_path: Path) -> None:
    catalogue = rules.catalogue()
    assert catalogue.canaries.keys() == catalogue.languages.keys()
    files = []
    for language in sorted(catalogue.languages):
        (file := tmp_path / language).write_text("")
        files.append(replace(source_file(language, file, b""), language=language))
    with Stage() as stage:
        assert not Semgrep().examine(files, EngineContext(stage)).problems


def test_only_languages_with_rules_of_the_wanted_kind_are_searched(tmp_path: Path) -> None:
    files = {name: tmp_path / name for name in ("a.py", "Dockerfile")}
    for path in files.values():
        path.write_bytes(b"\n")
    seen = {
        (kind, name)
        for kind in Aspect
        for name, path in files.items()
        if Semgrep(frozenset({kind})).wants(source_file(name, path, b"\n"))
    }
    assert seen == {(Aspect.CODE, "a.py"), (Aspect.IAC, "Dockerfile")}


def test_every_known_text_of_another_kind_holds_code_with_the_flaw(tmp_path: Path) -> None:
    known, languages = rules.catalogue().hosts, rules.catalogue().languages
    assert known.keys() == {kind or "text" for kind in programs._INSIDE} - (
        languages.keys() - {"dockerfile"}
    )
    paths = [kind if kind in {"dockerfile", "text"} else f"a.{kind}" for kind in known]
    paths = [{"a.notebook": "a.ipynb", "a.bash": "a.sh"}.get(path, path) for path in paths]
    files = []
    for path, canary in zip(paths, known.values(), strict=True):
        (tmp_path / path).write_bytes(canary.content)
        files.append(source_file(path, tmp_path / path, canary.content, tmp_path))
    with Stage() as stage:
        answers = Semgrep().examine(files, EngineContext(stage)).answers
    found = [{match.rule_id for match in answers[file.key].matches} for file in files]
    assert all(one.rule in here for one, here in zip(known.values(), found, strict=True))


def test_no_rule_gives_up_on_a_long_program() -> None:
    path = Path(pydoc.__file__)
    with Stage() as stage:
        file = source_file(path.name, path, path.read_bytes())
        examined = Semgrep().examine([file], EngineContext(stage))
    assert list(examined.answers) == [file.key]
    assert examined.problems == {}
