"""Files that others take in by their names, which may be any: those are read as what they are."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from posixpath import dirname, join, normpath

from mergegate.core.tree import Skipped, SourceFile, Tree
from mergegate.repo.facts.documents import DocumentKind, FileDocuments, Node
from mergegate.sandbox.engines.engine import Answers, EngineContext, FileEngine, Memory, ask

_READ_AS = ".yaml"
_DEEPEST = 20
"""Files that name files."""
_TOO_DEEP = f"files that name one another are nested more than {_DEEPEST} deep"


def with_named(
    answers: Answers[FileDocuments],
    engine: FileEngine[FileDocuments],
    tree: Tree,
    memory: Memory,
    context: EngineContext,
) -> Answers[FileDocuments]:
    """The answers, with those of the files that a document names and no name tells apart."""
    waiting = {file.path: file for file in tree.files if not file.binary}
    for file, found in answers.files:
        if found.documents:
            waiting.pop(file.path, None)
    named = _named(answers, waiting)
    for _ in range(_DEEPEST):
        if not named:
            return answers
        more = _under_their_names(ask(engine, _as_yaml(named), memory, context))
        answers = _joined(answers, more, named)
        named = _named(more, waiting)
    beyond = tuple(Skipped(path, _TOO_DEEP) for path in named)
    return replace(answers, limited=(*answers.limited, *beyond))


def _named(
    answers: Answers[FileDocuments], waiting: dict[str, SourceFile]
) -> dict[str, SourceFile]:
    """The files that wait and are named, taken out of what waits."""
    paths = {
        normpath(join(dirname(file.path), path))
        for file, found in answers.files
        for document in found.documents
        for path in _taken_in(document.kind, document.root)
    }
    return {path: waiting.pop(path) for path in sorted(paths & waiting.keys())}


def _taken_in(kind: DocumentKind, root: Node) -> Iterator[str]:
    if kind is DocumentKind.COMPOSE:
        for one in root["include"].each:
            yield from (path.text for path in (one, *one["path"].each) if path.text)
        yield from (one.at("extends", "file").text for one in root["services"].children)
    elif kind is DocumentKind.KUSTOMIZATION:
        for key in ("resources", "bases", "patchesStrategicMerge"):
            yield from (one.text for one in root[key].items if "\n" not in one.text)
        for key in ("patches", "patchesJson6902"):
            yield from (one["path"].text for one in root[key].items)


def _as_yaml(named: Mapping[str, SourceFile]) -> Tree:
    """The files under names that tell them for what they are."""
    return Tree(
        tuple(
            replace(file, path=f"{path}{_READ_AS}", language="yaml") for path, file in named.items()
        )
    )


def _under_their_names(read: Answers[FileDocuments]) -> Answers[FileDocuments]:
    """The answers with the paths that the files have in the tree."""
    files = tuple(
        (replace(file, path=file.path.removesuffix(_READ_AS)), one) for file, one in read.files
    )
    limited = tuple(replace(one, path=one.path.removesuffix(_READ_AS)) for one in read.limited)
    return replace(read, files=files, limited=limited)


def _joined(
    before: Answers[FileDocuments],
    more: Answers[FileDocuments],
    named: Mapping[str, SourceFile],
) -> Answers[FileDocuments]:
    found = [(named[file.path], one) for file, one in more.files]
    kept = [pair for pair in before.files if pair[0].path not in named]
    files = sorted([*kept, *found], key=_by_path)
    limited = {one.path: one for one in (*before.limited, *more.limited)}
    return replace(before, files=tuple(files), limited=tuple(limited.values()))


def _by_path(pair: tuple[SourceFile, FileDocuments]) -> str:
    return pair[0].path
