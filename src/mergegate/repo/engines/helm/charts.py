"""Charts of a tree: what belongs to each, and which values its templates are handed."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from posixpath import dirname, join, normpath

from mergegate.core.tree import SourceFile
from mergegate.repo.engines.helm.values import copied, merged
from mergegate.repo.engines.terraform.values import Budget

CHART = "Chart.yaml"
VALUES = "values.yaml"
_REQUIREMENTS = "requirements.yaml"
NAMING = (CHART, _REQUIREMENTS)
"""The files that name what a chart depends on."""
_TEMPLATES = "templates/"
_CHARTS = "charts/"
_PAGE_SUFFIXES = frozenset({".yaml", ".yml", ".json"})
_TEMPLATE_SUFFIXES = frozenset({".yaml", ".yml", ".tpl", ".txt", ".json"})
_STEPS_OF_CHART = 5_000
"""What it takes to read one."""
_DEEPEST = 6
"""Charts within charts."""


@dataclass(slots=True)
class Folder:
    """The files of one chart, by their paths within it."""

    path: str
    files: dict[str, SourceFile] = field(default_factory=dict)

    @property
    def templates(self) -> Iterator[tuple[str, SourceFile]]:
        """What Helm takes for templates."""
        for name, file in sorted(self.files.items()):
            if name.startswith(_TEMPLATES) and file.suffix in _TEMPLATE_SUFFIXES:
                yield name, file

    @property
    def pages(self) -> Iterator[SourceFile]:
        """The templates whose outcome is installed."""
        for _, file in self.templates:
            if file.suffix in _PAGE_SUFFIXES and not file.name.startswith("_"):
                yield file

    @property
    def deciding(self) -> Iterator[SourceFile]:
        """The files that decide what becomes of it."""
        yield from (self.files[name] for name in (*NAMING, VALUES) if name in self.files)
        yield from (file for _, file in self.templates)


def folders(files: Iterable[SourceFile]) -> dict[str, Folder]:
    """Every folder with a chart; a file belongs to the innermost."""
    known = sorted(files, key=lambda one: one.path)
    found = {
        dirname(one.path): Folder(dirname(one.path))
        for one in known
        if one.name == CHART and not one.copy_of
    }
    for one in known if found else ():
        folder = dirname(one.path)
        while folder and folder not in found:
            folder = dirname(folder)
        if folder in found and not one.copy_of and not one.binary:
            found[folder].files[one.path[len(folder) :].lstrip("/")] = one
    return found


def roots(found: Mapping[str, Folder]) -> list[str]:
    """The charts that are installed by themselves: those that lie in no other."""
    return [path for path in sorted(found) if parent(found, path) is None]


def is_template(path: str) -> bool:
    """Whether a path is one of a template, should there be a chart around it."""
    return f"/{_TEMPLATES}" in f"/{path}"


def is_within(path: str, folder: str) -> bool:
    """Whether a path is a folder, or leads into it."""
    return path == folder or not folder or path.startswith(f"{folder}/")


def parent(found: Mapping[str, Folder], path: str) -> str | None:
    """The chart in whose ``charts`` folder a chart lies; None where it lies in none."""
    holder = dirname(path)
    if holder.rpartition("/")[2] != "charts":
        return None
    above = dirname(holder) if "/" in holder else ""
    return above if above in found and above != path else None


@dataclass(slots=True)
class Chart:
    """A chart as it is installed."""

    folder: Folder
    about: Mapping[str, object]
    """What ``Chart.yaml`` says."""
    name: str
    values: dict[str, object]
    """Its defaults."""
    children: list["Chart"] = field(default_factory=list)
    is_enabled: bool = True

    @property
    def is_library(self) -> bool:
        """Whether it has nothing to install, and only helps others."""
        return self.about.get("type") == "library"

    def named(self, path: str) -> Iterator[tuple[str, "Chart"]]:
        """The chart and all that it brings, those within before it, with Helm's path of each."""
        for child in self.children:
            yield from child.named(f"{path}/charts/{child.name}")
        yield path, self


@dataclass(frozen=True, slots=True)
class Loader:
    """Joins folders to charts; ``read`` answers with what a file of YAML says."""

    found: Mapping[str, Folder]
    read: Callable[[SourceFile | None], object]
    budget: Budget

    def chart(self, path: str, name: str = "", depth: int = 0) -> Chart:
        """The chart in a folder, with those that it depends on as far as the tree has them."""
        self.budget.spend(_STEPS_OF_CHART)
        folder = self.found[path]
        about = _map(self.read(folder.files.get(CHART)))
        chart = Chart(
            folder,
            about,
            name or str(about.get("name") or path.rpartition("/")[2] or "chart"),
            _map(self.read(folder.files.get(VALUES))),
        )
        if depth < _DEEPEST:
            chart.children = list(self._children(chart, depth))
        return chart

    def _children(self, chart: Chart, depth: int) -> Iterator[Chart]:
        needs = self._needs(chart)
        used: set[str] = set()
        for need in needs:
            place = self._place(chart, need)
            if place is None:
                continue
            used.add(place)
            name = str(need.get("alias") or need.get("name"))
            child = self.chart(place, name, depth + 1)
            child.is_enabled = _is_enabled(need, chart.values)
            yield child
        for place in sorted(self.found):
            if parent(self.found, place) == chart.folder.path and place not in used:
                yield self.chart(place, depth=depth + 1)

    def _needs(self, chart: Chart) -> Sequence[Mapping[str, object]]:
        listed = chart.about.get("dependencies")
        if listed is None:
            listed = _map(self.read(chart.folder.files.get(_REQUIREMENTS))).get("dependencies")
        return [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []

    def _place(self, chart: Chart, need: Mapping[str, object]) -> str | None:
        """Where a dependency lies: among the chart's own, or beside it in the tree."""
        name, source = str(need.get("name")), str(need.get("repository") or "")
        inside = join(chart.folder.path, _CHARTS, name)
        if inside in self.found:
            return inside
        if not source.startswith("file://"):
            return None
        place = normpath(join(chart.folder.path, source.removeprefix("file://")))
        is_other = place in self.found and place != chart.folder.path
        return place if is_other and not place.startswith("..") else None


def _map(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def _is_enabled(need: Mapping[str, object], values: Mapping[str, object]) -> bool:
    """By the first condition that the values decide, else by its tags."""
    for path in str(need.get("condition") or "").split(","):
        value: object = values
        for step in path.strip().split("."):
            value = value.get(step) if isinstance(value, dict) else None
        if isinstance(value, bool):
            return value
    tags, chosen = need.get("tags"), _map(values.get("tags"))
    told = (
        [chosen[one] for one in map(str, tags) if one in chosen] if isinstance(tags, list) else []
    )
    return True in told or not told


def joined(chart: Chart, budget: Budget) -> None:
    """Hand each chart within the values that the one around it sets, and those of all."""
    shared = _map(copied(_map(chart.values.get("global")), budget))
    for child in chart.children:
        own = chart.values.get(child.name)
        values = _map(copied(own, budget))
        merged(values, _map(copied(child.values, budget)), over=False)
        merged(values, {"global": copied(shared, budget)}, over=True)
        child.values = _without_null(values)
        joined(child, budget)
        chart.values[child.name] = child.values
    chart.values.setdefault("global", shared)


def _without_null(values: dict[str, object]) -> dict[str, object]:
    """A value that is null takes the default away."""
    return {key: value for key, value in values.items() if value is not None}
