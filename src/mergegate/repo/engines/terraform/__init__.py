"""Read Terraform in our own process: each file once, then each folder with what it calls.

Nothing of it is executed, nothing is fetched, and no file is read but those of the tree.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from posixpath import dirname

from mergegate import __version__
from mergegate.core.errors import EngineFailed
from mergegate.core.report import EngineStatus
from mergegate.core.severity import Aspect
from mergegate.core.tree import Reason, Role, Skipped, SourceFile, Tree
from mergegate.repo.engines.terraform import notation, syntax
from mergegate.repo.engines.terraform.files import texts_of
from mergegate.repo.engines.terraform.modules import Configuration, Folder, Module, link
from mergegate.repo.engines.terraform.syntax import Unreadable
from mergegate.repo.engines.terraform.values import Budget, Spent
from mergegate.repo.facts.documents import ABSENT, Node
from mergegate.repo.facts.resources import Resource, Resources
from mergegate.sandbox.engines.engine import (
    Answers,
    EngineContext,
    Examination,
    Gathered,
    Memory,
    ask,
)
from mergegate.sandbox.engines.runner import Facts, Source

_REVISION = 7
"""Counts up with every change that lets the same bytes read differently."""
SIZE_BUDGET = 4 * 1024 * 1024
STEPS_OF_ROOT = 200_000
"""What one folder and the modules that it calls may take; an honest one takes some hundreds."""
_STEPS_OF_TREE = 1_000_000
_STEPS_OF_FILE = 2_000
_JSON = (".tf.json", ".tofu.json")
_CODE = (".tf", ".tofu")
_VALUES = re.compile(r"(?:terraform|.+\.auto)\.tfvars(?:\.json)?")
"""The files that set variables by themselves; others are named when somebody applies."""

_NO_FILES = Tree(())


@dataclass(frozen=True, slots=True)
class FileConfiguration:
    """What one file's bytes say, nothing of it evaluated."""

    body: Node = ABSENT


class TerraformEngine:
    """Answers with the blocks and expressions that a file's bytes hold."""

    name = "terraform"
    answer = FileConfiguration

    def version(self) -> str:
        """Ours and the grammar's."""
        return f"{__version__} (tree-sitter-hcl {version('tree-sitter-hcl')})"

    def identity(self) -> str:
        """The revision of our own reading."""
        return str(_REVISION)

    def wants(self, file: SourceFile) -> bool:
        """Configurations, and the files that set their variables."""
        name = file.name.lower()
        is_ours = name.endswith((*_CODE, *_JSON)) or _VALUES.fullmatch(name) is not None
        return is_ours and not file.binary

    def examine(
        self, files: Sequence[SourceFile], context: EngineContext
    ) -> Examination[FileConfiguration]:
        """One answer a file; those that do not parse are problems."""
        del context  # nothing is run: the bytes are read where they are
        _prove()
        answers: dict[str, FileConfiguration] = {}
        problems: dict[str, str] = {}
        causes: dict[str, Reason] = {}
        for file in files:
            try:
                answers[file.key] = FileConfiguration(_body(file))
            except Unreadable as error:
                answers[file.key] = FileConfiguration()
                problems[file.key] = str(error)
                causes[file.key] = Reason.SYNTAX
        return Examination(answers, problems, causes)


def _body(file: SourceFile) -> Node:
    if file.size > SIZE_BUDGET:
        raise Unreadable("it is larger than 4 MiB")
    try:
        content = file.location.read_bytes()
    except OSError as error:
        raise EngineFailed(f"a file could not be read: {error.strerror}") from error
    return notation.body(content) if file.suffix == ".json" else syntax.body(content)


_KNOWN = b'variable "a" {\n  default = "b"\n}\nresource "c" "d" {\n  e = "${var.a}-f"\n}\n'


def _prove() -> None:
    """Raise EngineFailed unless a known resource is read and evaluated as it should be."""
    known = Configuration("known.tf", Role.SOURCE, syntax.body(_KNOWN))
    made = list(Module({"": Folder([known])}, "", Budget(100)).resources())
    if [(one.address, one.properties["e"].text) for one in made] != [("c.d", "b-f")]:
        raise EngineFailed("a known resource was not read")


def evaluated(
    answers: Answers[FileConfiguration], tree: Tree = _NO_FILES
) -> tuple[Resources, frozenset[str]]:
    """Every resource, and the paths of what takes too long to evaluate.

    An expression may read other files of the ``tree``.

    A folder that another calls is evaluated as it is called; the others as they are applied.
    """
    folders, texts = _folders(answers), texts_of(tree)
    total = Budget(_STEPS_OF_TREE + _STEPS_OF_FILE * len(answers.files))
    found: list[Resource] = []
    unread: set[str] = set()
    for root in _roots(folders):
        budget = Budget(min(STEPS_OF_ROOT, total.left))
        most = budget.left
        try:
            found += tuple(Module(folders, root, budget, texts=texts).resources())
        except (Spent, RecursionError):
            inside: set[str] = set()
            _reach(folders, root, inside)
            unread |= {one.path for name in inside for one in folders[name].files}
        total.left -= most - max(0, budget.left)
    ordered = sorted(found, key=lambda one: (one.path, one.line, one.address))
    return Resources(tuple(ordered)), frozenset(unread)


def _folders(answers: Answers[FileConfiguration]) -> dict[str, Folder]:
    folders: dict[str, Folder] = {}
    for file, answer in answers.files:
        name = file.name.lower()
        folder = folders.setdefault(dirname(file.path), Folder())
        one = Configuration(file.path, file.role, answer.body, bool(file.copy_of))
        if _VALUES.fullmatch(name) is None:
            folder.files.append(one)
        elif name.startswith("terraform."):
            folder.values.insert(0, one)
        else:
            folder.values.append(one)
    link(folders)
    return folders


def _roots(folders: dict[str, Folder]) -> list[str]:
    """The folders that no other calls; of a circle of calls the first."""
    seen: set[str] = {
        source for name, one in folders.items() for _, source in one.calls if source != name
    }
    roots = sorted(folders.keys() - seen)
    reached: set[str] = set()
    for name in [*roots, *sorted(seen)]:
        if name not in reached:
            if name in seen:
                roots.append(name)
            _reach(folders, name, reached)
    return roots


def _reach(folders: dict[str, Folder], name: str, reached: set[str]) -> None:
    pending = [name]
    while pending:
        one = pending.pop()
        if one not in reached:
            reached.add(one)
            pending += [source for _, source in folders[one].calls]


def source(memory: Memory) -> Source:
    """Where the resources of Terraform come from."""

    def gather(tree: Tree, context: EngineContext, _: Facts) -> Gathered:
        answers = ask(TerraformEngine(), tree, memory, context)
        resources, unread = evaluated(answers, tree)
        limited = tuple(
            Skipped(path, f"it takes more than {STEPS_OF_ROOT:,} steps to evaluate")
            for path in sorted(unread)
        )
        run = replace(answers.run, status=EngineStatus.LIMITED) if limited else answers.run
        searched = answers.searched - unread
        return Gathered((resources,), run, (*answers.limited, *limited), searched)

    aspects = frozenset({Aspect.IAC})
    # What a file means is decided by those beside it.
    return Source(TerraformEngine.name, aspects, (Resources,), gather, searches=aspects)
