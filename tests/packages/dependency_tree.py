"""Trees for the dependency tests, from fixture folders or from texts."""

import hashlib
from pathlib import Path

from mergegate.core.languages import language_of
from mergegate.core.tree import SourceFile, Tree
from mergegate.packages.dependencies import Dependencies, Package
from mergegate.packages.lockfile_engine import LockfileEngine
from mergegate.sandbox.engines.engine import EngineContext, Gathered
from mergegate.sandbox.files.stage import Stage

FIXTURES = Path(__file__).parent.parent / "fixtures" / "dependencies"


def tree_of(folder: Path) -> Tree:
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return Tree(tuple(_file(path, path.relative_to(folder).as_posix()) for path in paths))


def written(folder: Path, **texts: str | bytes) -> Tree:
    """Keyword = path, with ``__`` for a dot and ``___`` for a slash."""
    for key, text in texts.items():
        path = folder / key.replace("___", "/").replace("__", ".").replace("_DASH_", "-")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return tree_of(folder)


def gather(tree: Tree) -> Gathered:
    with Stage() as stage:
        return LockfileEngine().gather(tree, EngineContext(stage))


def fact_of(tree: Tree) -> Dependencies:
    (fact,) = gather(tree).facts
    assert isinstance(fact, Dependencies)
    return fact


def fixture(name: str) -> Dependencies:
    return fact_of(tree_of(FIXTURES / name))


def package(fact: Dependencies, name: str, version: str = "") -> Package:
    (found,) = [p for p in fact.packages if p.name == name and p.version.startswith(version)]
    return found


def _file(path: Path, name: str) -> SourceFile:
    data = path.read_bytes()
    return SourceFile(
        path=name,
        location=path,
        size=len(data),
        digest=hashlib.sha256(data).hexdigest(),
        language=language_of(name),
    )
