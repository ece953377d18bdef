"""One chart → the documents that it would install with its own values."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from mergegate.core.tree import SourceFile
from mergegate.repo.engines.documents import known
from mergegate.repo.engines.documents.nodes import Parsed, Unreadable, parse
from mergegate.repo.engines.helm import syntax
from mergegate.repo.engines.helm.charts import Chart, Loader, is_within, joined
from mergegate.repo.engines.helm.evaluation import Evaluator, Method, Unsupported
from mergegate.repo.engines.helm.output import settled
from mergegate.repo.engines.helm.syntax import Body
from mergegate.repo.engines.helm.tokens import Malformed
from mergegate.repo.engines.helm.values import GAP, UNKNOWN, Version, copied
from mergegate.repo.engines.terraform.values import Budget, Spent
from mergegate.repo.facts.documents import FileDocuments

RELEASE = "release-name"
CLUSTER = "v1.33.0"
_MAJOR, _MINOR, _ = CLUSTER[1:].split(".")
STEPS_OF_TEMPLATE = 300_000
"""What one template may take; an honest one takes some thousands."""
_API_VERSIONS = frozenset(
    {
        *("v1", "admissionregistration.k8s.io/v1", "apiextensions.k8s.io/v1", "apps/v1"),
        *("apiregistration.k8s.io/v1", "authentication.k8s.io/v1", "authorization.k8s.io/v1"),
        *("autoscaling/v1", "autoscaling/v2", "batch/v1", "certificates.k8s.io/v1"),
        *("coordination.k8s.io/v1", "discovery.k8s.io/v1", "events.k8s.io/v1"),
        *("flowcontrol.apiserver.k8s.io/v1", "networking.k8s.io/v1", "node.k8s.io/v1"),
        *("policy/v1", "rbac.authorization.k8s.io/v1", "scheduling.k8s.io/v1"),
        *("storage.k8s.io/v1",),
    }
)
"""What every cluster of that version has."""


@dataclass(slots=True)
class Outcome:
    """What became of a chart's templates, by their paths in the tree."""

    found: dict[str, FileDocuments] = field(default_factory=dict)
    unread: dict[str, str] = field(default_factory=dict)
    """Templates that could not be rendered, each with why."""
    spent: dict[str, str] = field(default_factory=dict)
    """Templates that take more than a template may."""
    steps: int = 0
    """What it took, all in all."""


def rendered(
    loader: Loader, path: str, text_of: Callable[[SourceFile], str | None], total: Budget
) -> Outcome:
    """Every template of the chart in a folder, and of those within it.

    ``text_of`` answers None for a file that is too large; the steps come from ``total``.
    """
    result = Outcome()
    most = total.left
    try:
        chart = loader.chart(path)
        joined(chart, total)
        bodies: dict[str, Body] = {}
        for page in list(_pages(chart, bodies, text_of, result, total)):
            _render(page, chart, bodies, total, result)
    except Unsupported as error:
        result.unread |= dict.fromkeys(_paths(loader, path), str(error))
    except (Spent, RecursionError):
        result.spent |= dict.fromkeys(
            _paths(loader, path), "its chart takes too many steps to read"
        )
    result.steps = most - max(0, total.left)
    return result


def _paths(loader: Loader, path: str) -> Iterator[str]:
    """The templates of a chart and of those within it."""
    for name, folder in loader.found.items():
        if is_within(name, path):
            yield from (file.path for file in folder.pages)


@dataclass(frozen=True, slots=True)
class _Page:
    """A template whose outcome is installed."""

    name: str
    """As Helm names it: ``chart/templates/service.yaml``."""
    file: SourceFile
    chart: Chart
    path: str


def _pages(
    root: Chart,
    bodies: dict[str, Body],
    text_of: Callable[[SourceFile], str | None],
    result: Outcome,
    total: Budget,
) -> Iterator[_Page]:
    """Read all templates, and answer with those that are installed."""
    off: set[int] = set()
    for _, chart in root.named(root.name):
        if not chart.is_enabled:
            off |= {id(one) for _, one in chart.named("")}
    for path, chart in root.named(root.name):
        pages = {one.path for one in chart.folder.pages if is_within(one.path, root.folder.path)}
        for name, file in chart.folder.templates:
            source = _source(file, text_of(file), result, total)
            if source is None:
                continue
            bodies.update(source.defined)
            bodies[f"{path}/{name}"] = source.body
            if file.path in pages and (id(chart) in off or chart.is_library):
                result.found[file.path] = FileDocuments()
            elif file.path in pages:
                yield _Page(f"{path}/{name}", file, chart, path)


def _source(
    file: SourceFile, text: str | None, result: Outcome, total: Budget
) -> syntax.Source | None:
    """What a template's text says; None where it cannot be read, which is then told."""
    if text is None:
        result.spent[file.path] = "it is too large"
        return None
    total.spend(len(text) // 16)
    try:
        return syntax.parse(text.replace(GAP, "\ufffd"))
    except Malformed as error:
        result.unread[file.path] = f"it is no valid template: {error}"
        return None


def _render(
    page: _Page, root: Chart, bodies: Mapping[str, Body], total: Budget, result: Outcome
) -> None:
    budget = Budget(min(STEPS_OF_TEMPLATE, max(0, total.left)))
    most = budget.left
    path = page.file.path
    try:
        data = handed(page.chart, page.path, page.name, budget, is_root=page.chart is root)
        output = Evaluator(bodies, budget).render(bodies[page.name], data)
        text, lines = output.text, output.lines
        result.found[path] = _documents(settled(text), lines)
    except Unsupported as error:
        result.unread[path] = str(error)
    except Unreadable as error:
        result.unread[path] = f"what its default values make of it cannot be read: {error.what}"
    except (Spent, RecursionError):
        result.spent[path] = f"it takes more than {STEPS_OF_TEMPLATE:,} steps to render"
    total.left -= most - max(0, budget.left)


def _documents(text: str, lines: tuple[int, ...]) -> FileDocuments:
    parsed = parse(text, lines)
    if any(root.is_open and not root.keys for root in parsed.roots):
        raise Unsupported(
            "whole documents of it depend on what is not known before it is installed"
        )
    return known(Parsed(parsed.roots))


def handed(one: Chart, path: str, name: str, budget: Budget, *, is_root: bool) -> dict[str, object]:
    """What a template is handed: the dot of its first line; ``path`` is Helm's of its chart."""
    chart: dict[str, object] = dict.fromkeys(_OF_CHART, "")
    about = one.about.items()
    chart |= {f"{key[:1].upper()}{key[1:]}": copied(value, budget) for key, value in about}
    chart |= {"Name": one.name, "IsRoot": is_root}
    return {
        "Values": copied(one.values, budget),
        "Chart": chart,
        "Release": {
            "Name": RELEASE,
            # Whoever installs the chart names it.
            "Namespace": GAP,
            "Service": "Helm",
            "IsInstall": True,
            "IsUpgrade": False,
            "Revision": 1,
        },
        "Capabilities": {
            "KubeVersion": Version(
                {
                    "Version": CLUSTER,
                    "GitVersion": CLUSTER,
                    "Major": _MAJOR,
                    "Minor": _MINOR,
                }
            ),
            "APIVersions": {"Has": Method(_has_api)},
            "HelmVersion": {"Version": "v3.18.0", "GitCommit": "", "GoVersion": "go1.24"},
        },
        "Template": {"Name": name, "BasePath": f"{path}/templates"},
        "Files": {name: Method(_of_file) for name in _OF_FILES},
        "Subcharts": {},
    }


_OF_CHART = (
    *("ApiVersion", "AppVersion", "Description", "Home", "Icon", "KubeVersion", "Type", "Version"),
    "Annotations",
)
_OF_FILES = ("Get", "GetBytes", "Glob", "Lines", "AsConfig", "AsSecrets")


def _of_file(*given: object) -> object:
    """Files of a chart fill configuration, of which nothing is judged."""
    del given
    return UNKNOWN


def _has_api(name: object) -> bool:
    """Whether a plain cluster has an API, or a kind of it."""
    group = str(name)
    return group in _API_VERSIONS or group.rpartition("/")[0] in _API_VERSIONS
