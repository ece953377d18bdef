"""What will go wrong with Mergegate in a repository's CI, and the files that prevent it.

Pure: texts in, predictions out. Security of workflows in general is the scan's business.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from mergegate.doctor.predict import bitbucket, github, gitlab, recipes
from mergegate.doctor.predict.bitbucket.pipeline import ENTRY as BITBUCKET
from mergegate.doctor.predict.bitbucket.pipeline import pipelines
from mergegate.doctor.predict.github.view import FOLDER, view
from mergegate.doctor.predict.gitlab.pipeline import ENTRY as GITLAB
from mergegate.doctor.predict.gitlab.pipeline import pipeline
from mergegate.doctor.predict.prediction import KINDS, Outcome, Place, Prediction, Scene
from mergegate.doctor.predict.yaml.edit import Put, edited
from mergegate.doctor.predict.yaml.parse import Unreadable, documents, root

_MOST_ROUNDS = 12
_MOST_FIXES = 40
_MOST_TRIED = 40
"""Each trial predicts anew; a repository with more is told the advice alone."""
_UNREADABLE, _NOTHING = KINDS["ci-file-unreadable"], KINDS["ci-runs-no-mergegate"]
_UNFILLED = KINDS["ci-words-left"]
_PLACES = {
    "gitlab": (GITLAB, ("mergegate",)),
    "bitbucket": (BITBUCKET, ("pipelines", "pull-requests", "**")),
}
"""File and place of the job to add, by platform."""


def predict(scene: Scene) -> tuple[Prediction, ...]:
    """What will go wrong, worst first.

    A prediction carries corrected files only where they were tried: with them it is gone, and
    nothing new breaks or warns.
    """
    drafts = _drafts(scene)
    ordered = sorted(drafts.values(), key=lambda one: (one.outcome.rank, one.path, one.line))
    return tuple(
        replace(draft, corrected=_tried(scene, drafts, draft) if index < _MOST_TRIED else None)
        for index, draft in enumerate(ordered)
    )


def corrected(scene: Scene) -> Mapping[str, str]:
    """Path → text of every file that changes or is new when all corrections are made."""
    now = scene
    given_up: set[tuple[str, str, str]] = set()
    for _ in range(_MOST_FIXES):
        drafts = _drafts(now)
        chosen = next((one for one in drafts.values() if one.key not in given_up), None)
        if chosen is None:
            break
        files = _tried(now, drafts, chosen)
        given_up.add(chosen.key)
        now = now if files is None else _with(now, files)
    return _changed(scene, now)


def pipeline_files(scene: Scene) -> Mapping[str, str]:
    """Path → text of the files that make CI run Mergegate, new or as they would become.

    Empty where it already runs, where a file is not valid, and where the place to add it at is
    taken: then :func:`predict` tells which.
    """
    drafts = [one for one in _without_platform(scene) if one.kind is _NOTHING]
    after = _applied(scene, drafts[0]) if drafts else None
    return _changed(scene, after) if after else {}


def platform(scene: Scene) -> str | None:
    """The forge whose CI the scene is of: its origin's, else the one that its files are for."""
    return scene.provider or _platform_of_files(scene)


def _drafts(scene: Scene) -> dict[tuple[str, str, str], Prediction]:
    """Every prediction once, in a fixed order."""
    found: dict[tuple[str, str, str], Prediction] = {}
    for predictions in (
        _without_platform,
        github.predictions,
        gitlab.predictions,
        bitbucket.predictions,
    ):
        for draft in predictions(scene):
            found.setdefault(draft.key, draft)
    return found


def _tried(
    scene: Scene, drafts: Mapping[tuple[str, str, str], Prediction], draft: Prediction
) -> Mapping[str, str] | None:
    """The files after the correction and what follows from it; None where it does not help."""
    now, pending = scene, draft
    for _ in range(_MOST_ROUNDS):
        after = _applied(now, pending)
        if after is None:
            return None
        now = after
        left = _drafts(now)
        if draft.key in left:
            return None
        new = [one for key, one in left.items() if key not in drafts and _matters(one)]
        if not new:
            return _changed(scene, now)
        pending = new[0]
    return None


def _matters(draft: Prediction) -> bool:
    """Whether a correction does harm by it, which neither idle notes nor words to fill in are."""
    told = draft.outcome is not Outcome.NOTES or bool(draft.edits)
    return told and draft.kind is not _UNFILLED


def _applied(scene: Scene, draft: Prediction) -> Scene | None:
    if not draft.edits and not draft.new_files:
        return None
    files: dict[str, str] = {}
    for path, edits in draft.edits.items():
        text = edited(scene.files.get(path, ""), edits)
        if text is None:
            return None
        files[path] = text
    if draft.new_files.keys() & scene.files.keys():
        return None
    return _with(scene, files | dict(draft.new_files))


def _with(scene: Scene, files: Mapping[str, str]) -> Scene:
    return replace(scene, files={**scene.files, **files})


def _changed(before: Scene, after: Scene) -> dict[str, str]:
    return {path: text for path, text in after.files.items() if before.files.get(path) != text}


def _without_platform(scene: Scene) -> Iterator[Prediction]:
    """What goes wrong on any platform: unreadable or unfinished files, and no job of Mergegate."""
    broken = False
    for path, text in sorted(scene.files.items()):
        left = recipes.UNFILLED.search(text)
        if left:
            place = Place(path, text.count("\n", 0, left.start(1)) + 1, path)
            yield _UNFILLED.at(place, reference=left[1])
        try:
            documents(text)
        except Unreadable as error:
            broken = True
            yield _UNREADABLE.at(
                Place(path, error.line, path),
                "syntax" if error.is_syntax else "bounds",
                outcome=Outcome.BREAKS if error.is_syntax else Outcome.WARNS,
                problem=error.what,
            )
    if not broken and not _runs_anywhere(scene):
        yield _to_add(scene)


def _runs_anywhere(scene: Scene) -> bool:
    seen = pipeline(scene)
    return bool(
        view(scene).runs
        or seen.gates
        or any(True for _ in seen.components)
        or pipelines(scene).gates
    )


def _to_add(scene: Scene) -> Prediction:
    provider = platform(scene)
    path, place = _PLACES.get(provider or "", (recipes.SCAN_FILE, ()))
    if provider is None:
        return _NOTHING.at(Place(path, 1), advice="docs/ci has a recipe for each platform.")
    if path not in scene.files:
        return _NOTHING.at(Place(path, 1), new_files=_new_files(scene, provider, path))
    if not place or root(scene.files[path]).at(*place).present:
        return _NOTHING.at(Place(path, 1))
    return _NOTHING.at(Place(path, 1), edits=Put(place, recipes.job(provider, place)))


def _platform_of_files(scene: Scene) -> str | None:
    if any(path.startswith(FOLDER) for path in scene.files):
        return "github"
    return next((name for name, (path, _) in _PLACES.items() if path in scene.files), None)


def _new_files(scene: Scene, provider: str, path: str) -> dict[str, str]:
    if provider != "github":
        return {path: recipes.pipeline(provider)}
    scan = recipes.scan()
    answer = recipes.publish("Mergegate")
    both = {path: scan, recipes.PUBLISH_FILE: answer}
    return {} if both.keys() & scene.files.keys() else both


__all__ = ["KINDS", "corrected", "pipeline_files", "platform", "predict"]
