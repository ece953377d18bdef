"""What is wrong before a platform is asked: files that cannot be read, and no Mergegate at all."""

from collections.abc import Iterator

from mergegate.doctor.predict import recipes
from mergegate.doctor.predict.bitbucket.pipeline import ENTRY as BITBUCKET
from mergegate.doctor.predict.bitbucket.pipeline import pipelines
from mergegate.doctor.predict.github.view import FOLDER, view
from mergegate.doctor.predict.gitlab.pipeline import ENTRY as GITLAB
from mergegate.doctor.predict.gitlab.pipeline import pipeline
from mergegate.doctor.predict.prediction import KINDS, Outcome, Place, Prediction, Scene
from mergegate.doctor.predict.yaml.edit import Put
from mergegate.doctor.predict.yaml.parse import Unreadable, documents, root

UNREADABLE, NOTHING = KINDS["ci-file-unreadable"], KINDS["ci-runs-no-mergegate"]
_PLACES = {
    "gitlab": (GITLAB, ("mergegate",)),
    "bitbucket": (BITBUCKET, ("pipelines", "pull-requests", "**")),
}
"""File and place of the job to add, by platform."""


def predictions(scene: Scene) -> Iterator[Prediction]:
    """Unreadable files; the job to add where there is none."""
    broken = False
    for path, text in sorted(scene.files.items()):
        try:
            documents(text)
        except Unreadable as error:
            broken = True
            yield UNREADABLE.at(
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
    provider = scene.provider or _told_by_files(scene)
    path, place = _PLACES.get(provider or "", (recipes.SCAN_FILE, ()))
    if provider is None:
        return NOTHING.at(Place(path, 1), advice="docs/ci has a recipe for each platform.")
    if path not in scene.files:
        return NOTHING.at(Place(path, 1), new_files=_new_files(scene, provider, path))
    if not place or root(scene.files[path]).at(*place).present:
        return NOTHING.at(Place(path, 1))
    return NOTHING.at(Place(path, 1), edits=Put(place, recipes.job(provider, scene.version, place)))


def _told_by_files(scene: Scene) -> str | None:
    if any(path.startswith(FOLDER) for path in scene.files):
        return "github"
    return next((name for name, (path, _) in _PLACES.items() if path in scene.files), None)


def _new_files(scene: Scene, provider: str, path: str) -> dict[str, str]:
    if provider != "github":
        return {path: recipes.pipeline(provider, scene.version)}
    scan = recipes.scan(scene.version)
    answer = recipes.publish("Mergegate", scene.version)
    both = {path: scan, recipes.PUBLISH_FILE: answer}
    return {} if both.keys() & scene.files.keys() else both
