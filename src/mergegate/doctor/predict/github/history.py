"""What is checked out: whether there is something to scan, and something to compare with."""

from collections.abc import Iterator

from mergegate.doctor.predict.github import recipes
from mergegate.doctor.predict.github.view import Run, View
from mergegate.doctor.predict.github.workflow import Step
from mergegate.doctor.predict.prediction import Draft, Kind, Outcome, predicts
from mergegate.doctor.predict.yaml.edit import Drop, Insert, Put

_CHECKOUT = "https://github.com/actions/checkout#usage"

MISSING = Kind(
    id="github-no-checkout",
    outcome=Outcome.BREAKS,
    title="Nothing is checked out before the scan",
    why="A job starts in an empty folder; GitHub puts the repository there only when asked.",
    advice="Add actions/checkout before Mergegate.",
    reference=_CHECKOUT,
)
SHALLOW = Kind(
    id="github-history-unreachable",
    outcome=Outcome.BREAKS,
    title="The base is not in the clone and cannot be fetched",
    why="actions/checkout fetches a single commit. `mergegate ci` fetches what it lacks, but not "
    "from a private repository without a token; `mergegate scan --base` fetches nothing.",
    advice="Set `fetch-depth: 0` on actions/checkout.",
    reference=_CHECKOUT,
)
PARTIAL = Kind(
    id="github-partial-clone",
    outcome=Outcome.BREAKS,
    title="The clone lacks the contents of older files",
    why="With `filter:` Git fetches a file's content when it is first read. A scan forbids Git "
    "the network.",
    advice="Remove `filter:` from actions/checkout.",
    reference=_CHECKOUT,
)
SPARSE = Kind(
    id="github-sparse-checkout",
    outcome=Outcome.WARNS,
    title="Only part of the repository is checked out",
    why="`sparse-checkout` leaves the other files out of the folder that is scanned.",
    advice="Remove `sparse-checkout` from actions/checkout.",
    reference=_CHECKOUT,
)


@predicts(MISSING)
def missing(view: View) -> Iterator[Draft]:
    """A scan without anything before it that could have brought the files."""
    for gate in view.gates:
        before = gate.job.steps[: gate.job.steps.index(gate.step)]
        if not any(_brings_files(step) for step in before) and "git clone" not in gate.step.script:
            yield MISSING.at(
                gate.path,
                gate.line,
                "The folder is empty: there is nothing to scan, and the job fails.",
                subject=gate.subject,
                edits={gate.path: (Insert((*gate.job.path, "steps"), recipes.checkout_step(), 0),)},
            )


@predicts(SHALLOW)
def shallow(view: View) -> Iterator[Draft]:
    """A single commit, and no way to fetch more."""
    for gate in view.pulled:
        for step in _checkouts(gate)[:1]:
            told = step.node["with"]
            if told["fetch-depth"].text in {"0", ""} and told["fetch-depth"].present:
                continue
            if "git fetch" in "".join(one.script for one in gate.job.steps):
                continue
            happens = _unreachable(view, gate, step)
            if happens:
                yield SHALLOW.at(
                    gate.path,
                    step.node.line,
                    happens,
                    subject=gate.subject,
                    edits={gate.path: (Put((*step.path, "with", "fetch-depth"), 0),)},
                )


@predicts(PARTIAL)
def partial(view: View) -> Iterator[Draft]:
    """``filter:`` on the checkout of a gate that compares."""
    for gate in view.pulled:
        for step in _checkouts(gate):
            if step.node.at("with", "filter").text:
                yield PARTIAL.at(
                    gate.path,
                    step.node["with"].key_line("filter"),
                    "The base's files cannot be read, so the change cannot be measured: the scan "
                    "is incomplete and the job fails.",
                    subject=gate.subject,
                    edits={gate.path: (Drop((*step.path, "with", "filter")),)},
                )


@predicts(SPARSE)
def sparse(view: View) -> Iterator[Draft]:
    """``sparse-checkout`` on the checkout of a gate."""
    for gate in view.gates:
        for step in _checkouts(gate):
            told = step.node["with"]
            named = [key for key in told.keys if key.startswith("sparse-checkout")]
            if told["sparse-checkout"].text:
                yield SPARSE.at(
                    gate.path,
                    told.key_line("sparse-checkout"),
                    "Files outside the sparse checkout are not scanned, and nothing says so.",
                    subject=gate.subject,
                    edits={gate.path: tuple(Drop((*step.path, "with", key)) for key in named)},
                )


PREDICTORS = (missing, shallow, partial, sparse)


def _unreachable(view: View, gate: Run, step: Step) -> str:
    if gate.call.verb == "scan":
        return (
            "The base is not in the clone: Mergegate exits with 2 and the job fails."
            if gate.call.options.get("base")
            else ""
        )
    kept = not step.node.at("with", "persist-credentials").is_false
    if kept or gate.token or view.settings.private is not True:
        return ""
    return (
        "The clone holds a single commit and nothing to fetch more with: the change cannot be "
        "measured, and the job fails."
    )


def _checkouts(gate: Run) -> list[Step]:
    before = gate.job.steps[: gate.job.steps.index(gate.step)]
    return [step for step in before if step.action == "actions/checkout"]


def _brings_files(step: Step) -> bool:
    """A checkout, a download, a clone, or an action that may do any of it."""
    action = step.action
    if action.startswith("actions/"):
        return action in {"actions/checkout", "actions/download-artifact"}
    return bool(action) or "git clone" in step.script or "git fetch" in step.script
