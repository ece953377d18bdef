"""One chart → the documents that it would install with its own values."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from mergegate.core.tree import SourceFile
from mergegate.repo.engines.documents import known
from mergegate.repo.engines.documents.nodes import Parsed, Unreadable, parse
from mergegate.repo.engines.helm import syntax
from mergegate.repo.engines.helm.charts import Chart, Loader, joined
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
STEPS_OF_CHART = 2_000_000
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


def rendered(loader: Loader, path: str, text_of: Callable[[SourceFile], str]) -> Outcome:
    """Every template of the chart in a folder, and of those that it brings."""
    result = Outcome()
    total = Budget(STEPS_OF_CHART)
    try:
        chart = loader.chart(path)
        joined(chart, total)
    except (Spent, RecursionError):
        why = "the values of its chart are too large"
        result.spent = {file.path: why for _, file in loader.found[path].templates}
        return result
    except Malformed as error:
        result.unread = {file.path: str(error) for _, file in loader.found[path].templates}
        return result
    bodies: dict[str, Body] = {}
    pages = list(_pages(chart, bodies, text_of, result))
    for page in pages:
        _render(page, chart, bodies, total, result)
    return result


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
    text_of: Callable[[SourceFile], str],
    result: Outcome,
) -> Iterator[_Page]:
    """Read all templates, and answer with those that are installed."""
    off: set[int] = set()
    for _, chart in root.named(root.name):
        if not chart.is_enabled:
            off |= {id(one) for _, one in chart.named("")}
    for path, chart in root.named(root.name):
        for name, file in chart.folder.templates:
            source = _parsed(file, text_of, result)
            if source is None:
                continue
            bodies.update(source.defined)
            bodies[f"{path}/{name}"] = source.body
            is_page = not file.name.startswith("_") and file.suffix in {".yaml", ".yml", ".json"}
            if not is_page or not _is_inside(file, root):
                continue
            if id(chart) in off or chart.is_library:
                result.found[file.path] = FileDocuments()
            else:
                yield _Page(f"{path}/{name}", file, chart, path)


def _parsed(
    file: SourceFile, text_of: Callable[[SourceFile], str], result: Outcome
) -> syntax.Source | None:
    """A template; None for one that cannot be read, and ``result`` says why."""
    try:
        return syntax.parse(text_of(file).replace(GAP, "\ufffd"))
    except Malformed as error:
        result.unread[file.path] = f"it is no valid template: {error}"
    except Spent:
        result.spent[file.path] = "it is too large"
    return None


def _is_inside(file: SourceFile, root: Chart) -> bool:
    """Whether a file is of the chart's own folder: one beside it is a chart of its own."""
    folder = root.folder.path
    return not folder or file.path.startswith(f"{folder}/")


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
        result.unread[path] = f"rendered with its default values {error.what}"
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
