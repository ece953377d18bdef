"""Helm charts in our own process: their templates are rendered with the chart's own values.

No program is run, nothing is fetched, and no file is read but those of the tree.
"""

import hashlib
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pydantic import ValidationError

from mergegate import __version__
from mergegate.core.errors import EngineFailed
from mergegate.core.report import EngineRun, EngineStatus
from mergegate.core.severity import Aspect
from mergegate.core.tree import Reason, Skipped, SourceFile, Tree
from mergegate.repo.engines.helm import charts
from mergegate.repo.engines.helm.charts import Folder, Loader
from mergegate.repo.engines.helm.evaluation import Unsupported
from mergegate.repo.engines.helm.rendering import Outcome, rendered
from mergegate.repo.engines.helm.values import GAP, read
from mergegate.repo.engines.terraform.values import Budget, Spent
from mergegate.repo.facts.documents import Rendered
from mergegate.sandbox.engines.engine import EngineContext, Gathered, Memory, adapter
from mergegate.sandbox.engines.runner import Facts, Source

NAME = "helm"
_REVISION = 2
"""Counts up with every change that lets the same bytes read differently."""
SIZE_BUDGET = 1024 * 1024
"""Bytes of one file: of a longer one nothing is read."""
_STEPS_OF_VALUES = 200_000
_MOST_STEPS_OF_CHART = 2_000_000
"""What one chart may take; an honest one takes some thousands."""
_STEPS_OF_TREE = 10_000_000
_STEPS_OF_CHART = 20_000
_BESIDE = "file://"


def source(memory: Memory) -> Source:
    """Where the documents of charts come from."""

    def gather(tree: Tree, context: EngineContext, _: Facts) -> Gathered:
        started = time.monotonic()
        _prove()
        found = charts.folders(tree.files)
        paths = charts.roots(found)
        keys = {path: _key(found, path) for path in paths}
        doubted = {keys[path] for path in paths if _files(found, path) & context.anew}
        stored = memory.recall(list(keys.values()), doubted)
        known = {path: _recalled(stored.get(key)) for path, key in keys.items()}
        total = Budget(_STEPS_OF_TREE + _STEPS_OF_CHART * len(paths))
        every: list[Outcome] = []
        new: dict[str, bytes] = {}
        for path, key in keys.items():
            outcome = known[path]
            if outcome is None or outcome.steps > total.left:
                budget = Budget(min(_MOST_STEPS_OF_CHART, total.left))
                outcome = rendered(Loader(found, _values, budget), path, _text, budget)
                if total.left >= _MOST_STEPS_OF_CHART:
                    new[key] = adapter(Outcome).dump_json(outcome)
            total.left -= outcome.steps
            every.append(outcome)
        memory.remember(new)
        limits = (one for outcome in every for one in _limited(outcome))
        limited = tuple(sorted((*limits, *_unproved(tree))))
        files = {path: one for outcome in every for path, one in outcome.found.items()}
        status = EngineStatus.LIMITED if limited else EngineStatus.OK
        run = EngineRun(
            name=NAME,
            version=__version__,
            status=status if files or limited else EngineStatus.IDLE,
            duration_ms=round((time.monotonic() - started) * 1000),
            files=len(files) + len(limited),
            reused=sum(len(one.found) for one in known.values() if one is not None),
        )
        return Gathered((Rendered(files),), run, limited, frozenset(files))

    aspects = frozenset({Aspect.IAC})
    return Source(NAME, aspects, (Rendered,), gather, searches=aspects)


def _unproved(tree: Tree) -> Iterator[Skipped]:
    """Changed copies of templates: without their chart nothing shows what they come to."""
    for file in tree.files:
        if charts.is_template(file.copy_of) and "{{" in (_text(file) or "{{"):
            yield Skipped(file.path, "a changed template is not rendered", cause=_KNOWN)


def _limited(outcome: Outcome) -> Iterator[Skipped]:
    for path, why in outcome.unread.items():
        yield Skipped(path, f"a template of Helm that could not be rendered: {why}", cause=_KNOWN)
    for path, why in outcome.spent.items():
        yield Skipped(path, f"a template of Helm that could not be rendered: {why}")


_KNOWN = Reason.LANGUAGE
"""What is missing is our knowledge of templates, which no file alone is to blame for."""


def _files(found: Mapping[str, Folder], path: str) -> frozenset[str]:
    """The keys of the files that decide what becomes of a chart."""
    return frozenset(file.key for _, file in _deciding(found, path))


def _key(found: Mapping[str, Folder], path: str) -> str:
    parts = [NAME, __version__, str(_REVISION), path]
    parts += [f"{name}\n{file.role}\n{file.key}" for name, file in _deciding(found, path)]
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()


def _deciding(found: Mapping[str, Folder], path: str) -> Sequence[tuple[str, SourceFile]]:
    """The files of a chart and of those within it; of all charts where it names one beside it."""
    inside = [one for name, one in found.items() if charts.is_within(name, path)]
    names_others = any(
        _BESIDE in (_text(file) or "")
        for one in inside
        for name in charts.NAMING
        if (file := one.files.get(name))
    )
    return [
        (file.path, file)
        for _, one in sorted(found.items())
        if names_others or one in inside
        for file in one.deciding
    ]


def _recalled(stored: bytes | None) -> Outcome | None:
    """None for what was written by another shape of ours, or is damaged: then render again."""
    if stored is None:
        return None
    try:
        return adapter(Outcome).validate_json(stored)
    except ValidationError:
        return None


def _values(file: SourceFile | None) -> object:
    """What a file of YAML says; nothing where there is none. Raises Spent, Unsupported."""
    if file is None:
        return None
    text = _text(file)
    if text is None:
        raise Spent
    try:
        return read(text.replace(GAP, "\ufffd"), Budget(_STEPS_OF_VALUES))
    except ValueError as error:
        raise Unsupported(f"{file.name} of its chart is not valid YAML") from error


def _text(file: SourceFile) -> str | None:
    if file.size > SIZE_BUDGET:
        return None
    try:
        return file.location.read_bytes().decode("utf-8-sig", "replace")
    except OSError as error:
        raise EngineFailed(f"a file could not be read: {error.strerror}") from error


_PROOF: Mapping[str, str] = {
    "Chart.yaml": "name: known\n",
    "values.yaml": "image: {name: a, tag: b}\n",
    "templates/pod.yaml": (
        "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n"
        '    - image: {{ printf "%s:%s" .Values.image.name .Values.image.tag | quote }}\n'
    ),
}


def _prove() -> None:
    """Raise EngineFailed unless a known chart is rendered as it should be."""
    files = [
        SourceFile(path=f"known/{name}", location=Path(name), size=len(text), digest=name)
        for name, text in _PROOF.items()
    ]
    texts = {f"known/{name}": text for name, text in _PROOF.items()}

    def known(file: SourceFile | None) -> object:
        return read(texts[file.path], Budget(100)) if file else None

    budget = Budget(10_000)
    loader = Loader(charts.folders(files), known, budget)
    outcome = rendered(loader, "known", lambda file: texts[file.path], budget)
    read_back = outcome.found.get("known/templates/pod.yaml")
    images = [one.root.at("spec", "containers") for one in read_back.documents] if read_back else []
    if [(one["image"].text, one.line) for each in images for one in each.items] != [("a:b", 5)]:
        raise EngineFailed("a known chart was not rendered")
