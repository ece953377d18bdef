"""The dashboard and the alerts speak of what `/metrics` tells, and of nothing else."""

import datetime as dt
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from mergegate.core.plans import Lane, Tool
from mergegate.host.advisory_renewal import Renewal
from mergegate.host.api.metrics import Metrics
from mergegate.host.api.problems import Code
from mergegate.host.runner.advisories import Importer
from mergegate.host.server import AdvisoryFigures
from mergegate.host.store.endings import CODES, COMPLETED, Outcomes
from tests.recipes.documents import ROOT

HOST = ROOT / "docs" / "host"
ALERTS = yaml.safe_load((HOST / "alerts.yml").read_text())["groups"]
DASHBOARD = json.loads((HOST / "grafana.json").read_text())
POLL = "/api/repo/result"
_OURS = re.compile(r"\bmergegate_\w+")
_MATCHER = re.compile(r'(\w+)\s*[=!][=~]?\s*"([^"]*)"')
_COLUMNS = 24


class Aged(Renewal):
    """Of a host that has advisories."""

    def age(self) -> dt.timedelta:
        return dt.timedelta(hours=1)


def samples() -> dict[str, dict[str, str]]:
    """Name → the labels, of everything that a host which was asked for something tells."""
    metrics = Metrics(AdvisoryFigures(Aged(Importer(ROOT, "", {}), None)))
    metrics.answered("GET", POLL, 200, 0.01)
    metrics.accepted(Tool.AUDIT)
    for code in Code:
        metrics.refused(code)
    ended = [Outcomes(Tool.SEO, COMPLETED, False, {1: 1}, 1, 0.5)]
    page = metrics.page(dict.fromkeys(Lane, 1), 1, ended).decode()
    families = text_string_to_metric_families(page)
    return {one.name: one.labels for family in families for one in family.samples}


def rules() -> Iterator[dict[str, Any]]:
    for group in ALERTS:
        yield from group["rules"]


def panels() -> Iterator[dict[str, Any]]:
    yield from DASHBOARD["panels"]


def expressions() -> Iterator[tuple[str, str]]:
    yield from ((rule["alert"], rule["expr"]) for rule in rules())
    for panel in panels():
        yield from ((panel["title"], target["expr"]) for target in panel["targets"])


@pytest.mark.parametrize(("where", "expression"), list(expressions()))
def test_every_figure_that_is_watched_is_told(where: str, expression: str) -> None:
    named = set(_OURS.findall(expression))
    assert named <= set(samples()), where
    assert named or expression.startswith("up{")
    assert [expression.count(one) for one in "({["] == [expression.count(one) for one in ")}]"]


@pytest.mark.parametrize(("where", "expression"), list(expressions()))
def test_labels_are_ours_and_their_values_occur(where: str, expression: str) -> None:
    known: dict[str, set[str]] = {
        "code": {one.value for one in Code} | set(CODES),
        "scheduled": {"yes", "no"},
        "route": {POLL},
        "job": {"mergegate", "$job"},
    }
    for label, value in _MATCHER.findall(expression):
        assert set(value.split("|")) <= known[label], where
    told = {label for labels in samples().values() for label in labels}
    for grouped in re.findall(r"by \(([^)]*)\)", expression):
        assert {one.strip() for one in grouped.split(",")} <= told, where


def test_what_the_guide_says_to_watch_is_told_and_on_the_dashboard() -> None:
    guide = (ROOT / "docs" / "operations.md").read_text()
    rows = {name.removesuffix("{").split("{")[0] for name in _OURS.findall(guide)}
    told = {re.sub(r"_(bucket|sum|count)$", "", name) for name in samples()}
    assert rows <= told
    shown = set(_OURS.findall(json.dumps(DASHBOARD)))
    assert rows <= {re.sub(r"_bucket$", "", name) for name in shown}


def test_every_alert_says_what_happens_and_what_to_do() -> None:
    names = [rule["alert"] for rule in rules()]
    assert len(names) == len(set(names)) >= 6
    for rule in rules():
        assert set(rule) <= {"alert", "expr", "for", "labels", "annotations"}
        assert rule["labels"]["severity"] in {"warning", "critical"}
        assert set(rule["annotations"]) == {"summary", "description"}


def test_the_dashboard_can_be_imported_on_any_grafana() -> None:
    """Its source is asked for, nothing overlaps, and no panel has the number of another."""
    assert [one["name"] for one in DASHBOARD["templating"]["list"]] == ["datasource", "job"]
    numbers = [panel["id"] for panel in panels()]
    assert len(numbers) == len(set(numbers))
    taken: set[tuple[int, int]] = set()
    for panel in panels():
        assert panel["datasource"] == {"type": "prometheus", "uid": "${datasource}"}
        assert panel["description"]
        at = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(at["x"], at["x"] + at["w"])
            for y in range(at["y"], at["y"] + at["h"])
        }
        assert not cells & taken
        assert max(x for x, _ in cells) < _COLUMNS
        taken |= cells
