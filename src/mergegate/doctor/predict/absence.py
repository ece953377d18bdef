"""What is wrong before a platform is asked: files that cannot be read, and no Mergegate at all."""

from collections.abc import Iterator

from mergegate.doctor.predict.bitbucket.pipeline import ENTRY as BITBUCKET
from mergegate.doctor.predict.bitbucket.pipeline import pipelines
from mergegate.doctor.predict.github import recipes
from mergegate.doctor.predict.github.view import FOLDER, view
from mergegate.doctor.predict.gitlab.pipeline import ENTRY as GITLAB
from mergegate.doctor.predict.gitlab.pipeline import pipeline
from mergegate.doctor.predict.prediction import KINDS, Draft, Edits, Outcome, Place, Scene
from mergegate.doctor.predict.yaml.edit import Put
from mergegate.doctor.predict.yaml.parse import Unreadable, documents, root
from mergegate.doctor.predict.yaml.render import Value, block

UNREADABLE, NOTHING = KINDS["ci-file-unreadable"], KINDS["ci-runs-no-mergegate"]


def predictions(scene: Scene) -> Iterator[Draft]:
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


def _to_add(scene: Scene) -> Draft:
    provider = scene.provider or _told_by_files(scene)
    path = {"gitlab": GITLAB, "bitbucket": BITBUCKET}.get(provider or "", recipes.SCAN_FILE)
    if provider is None:
        return NOTHING.at(Place(path, 1), advice="docs/ci has a recipe for each platform.")
    if path in scene.files:
        return NOTHING.at(Place(path, 1), edits=_added(scene, path))
    return NOTHING.at(Place(path, 1), new_files=_new_files(scene, provider))


def _told_by_files(scene: Scene) -> str | None:
    if any(path.startswith(FOLDER) for path in scene.files):
        return "github"
    entries = {GITLAB: "gitlab", BITBUCKET: "bitbucket"}
    return next((name for path, name in entries.items() if path in scene.files), None)


def _new_files(scene: Scene, provider: str) -> dict[str, str]:
    if provider == "github":
        scan = recipes.scan(scene.version)
        answer = recipes.publish("Mergegate", scene.version)
        both = {recipes.SCAN_FILE: scan, recipes.PUBLISH_FILE: answer}
        return {} if both.keys() & scene.files.keys() else both
    if provider == "gitlab":
        return {GITLAB: _text({"mergegate": gitlab_job(scene.version)})}
    step = bitbucket_step(scene.version)
    return {BITBUCKET: _text({"pipelines": {"pull-requests": {"**": [{"step": step}]}}})}


def _added(scene: Scene, path: str) -> Edits:
    """The job in a file that is there already, where the place is free."""
    top = root(scene.files[path])
    if path == GITLAB and not top["mergegate"].present:
        return {path: (Put(("mergegate",), gitlab_job(scene.version)),)}
    if path == BITBUCKET and not top.at("pipelines", "pull-requests")["**"].present:
        place = ("pipelines", "pull-requests", "**")
        return {path: (Put(place, [{"step": bitbucket_step(scene.version)}]),)}
    return {}


def gitlab_job(version: str) -> Value:
    """The job for GitLab."""
    reports = {
        "codequality": "mergegate-report/gl-code-quality-report.json",
        "sast": "mergegate-report/gl-sast-report.json",
        "secret_detection": "mergegate-report/gl-secret-detection-report.json",
        "dependency_scanning": "mergegate-report/gl-dependency-scanning-report.json",
    }
    return {
        "image": "python:3.13",
        "rules": [
            {"if": '$CI_PIPELINE_SOURCE == "merge_request_event"'},
            {"if": "$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH"},
        ],
        "script": [f"pip install mergegate=={version}", "mergegate ci"],
        "artifacts": {"when": "always", "paths": ["mergegate-report/"], "reports": reports},
    }


def bitbucket_step(version: str) -> Value:
    """The step for Bitbucket."""
    kept = {"name": "mergegate", "paths": ["mergegate-report/**"], "capture-on": "always"}
    return {
        "name": "Mergegate",
        "image": "python:3.13",
        "clone": {"depth": "full"},
        "script": [f"pip install mergegate=={version}", "mergegate ci"],
        "artifacts": {"upload": [kept]},
    }


def _text(value: Value) -> str:
    return "\n".join(block(value)) + "\n"
