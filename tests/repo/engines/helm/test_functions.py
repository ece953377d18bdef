"""The functions of templates, held to what Helm itself makes of each expression."""

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import cycle, product
from pathlib import Path

import pytest

from mergegate.repo.engines.helm import functions, syntax
from mergegate.repo.engines.helm.charts import Chart, Folder
from mergegate.repo.engines.helm.evaluation import Evaluator
from mergegate.repo.engines.helm.rendering import handed
from mergegate.repo.engines.helm.values import GAP, UNKNOWN, Version, copied, read, shown
from mergegate.repo.engines.terraform.values import Budget, Spent

RECORDED = json.loads(Path(__file__).with_name("recorded.json").read_text("utf-8"))
"""What `helm template` of the version that it names wrote for each expression."""


def evaluated(expression: str) -> str:
    """What an expression comes to in the recorded chart."""
    budget = Budget(1_000_000)
    about, values = read(RECORDED["chart"], budget), read(RECORDED["values"], budget)
    assert isinstance(about, dict)
    assert isinstance(values, dict)
    chart = Chart(Folder("rec"), about, "rec", values)
    data = handed(chart, "rec", "rec/templates/x.yaml", budget, is_root=True)
    return Evaluator({}, budget).render(syntax.parse(f"{{{{ {expression} }}}}").body, data).text


@pytest.mark.parametrize(("expression", "told"), RECORDED["told"].items())
def test_an_expression_comes_to_what_helm_makes_of_it(expression: str, told: str) -> None:
    assert evaluated(expression) == told


UNDECIDED: Mapping[str, str] = {
    'lookup "v1" "Secret" "a" "b"': GAP,
    "randAlphaNum 8": GAP,
    '.Files.Get "x"': GAP,
    '.Files.Get "x" | quote': f'"{GAP}"',
    'printf "a-%s" .Release.Namespace': f"a-{GAP}",
    ".Release.Namespace | trunc 3": GAP,
    'eq .Release.Namespace "kube-system"': GAP,
    "and false (uuidv4)": "false",
    "and (uuidv4) false": "false",
    "or (uuidv4) true": "true",
    'or (uuidv4) "x"': GAP,
    "not (uuidv4)": GAP,
    'default "x" (uuidv4)': GAP,
    'required "say it" .Values.nothing': GAP,
    ".Values.nothing.deeper": GAP,
    "(.Values.nothing).deeper | quote": "",
    "((.Values.nothing).deeper).still | quote": "",
    "(.Values.nothing).deeper.still": GAP,
    "index .Values.list 9": GAP,
    "toYaml (list (uuidv4) 1)": f"- {GAP}\n- 1",
    'get (dict "a" (uuidv4) "b" 2) "b"': "2",
    'hasKey (dict "a" 1) (uuidv4)': GAP,
    'include "missing" .': GAP,
    "div 1 0": GAP,
    ".Capabilities.APIVersions.Has": GAP,
    "quote .Capabilities.APIVersions.Has": f'"{GAP}"',
    "toYaml .Files": GAP,
    "(.Files).Get": GAP,
    'regexReplaceAll "l" .Values.text "${9}"': GAP,
    'fail "no"': "",
}


@pytest.mark.parametrize(("expression", "told"), UNDECIDED.items())
def test_what_rests_on_what_is_not_known_is_not_known(expression: str, told: str) -> None:
    assert evaluated(expression) == told


def test_yaml_keeps_texts_apart_from_what_they_look_like() -> None:
    text = evaluated('toYaml (dict "a" "true" "b" 1 "c" nil "d" "x: y" "e" "" "f" (list))')
    same = {"a": "true", "b": 1, "c": None, "d": "x: y", "e": "", "f": []}
    assert read(text, Budget(100)) == same


@pytest.mark.parametrize(
    "expression",
    [
        'repeat 999999999 "ab"',
        'indent 999999999 "a"',
        'replace "" (repeat 5000 "x") (repeat 5000 "y")',
        'printf "%99999999d" 1 | repeat 100',
    ],
)
def test_a_text_without_end_ends_the_template(expression: str) -> None:
    with pytest.raises(Spent):
        evaluated(expression)


@pytest.mark.parametrize(
    "expression",
    [
        "until 99999999",
        "untilStep 0 99999999 1",
        'regexMatch "(a+)+$" (repeat 40 "a")',
        'regexMatch "a*a*a*a*a*b" (repeat 200 "a")',
        'regexMatch "(?P<x>a)" "a"',
        'regexMatch "(" "a"',
    ],
)
def test_what_may_take_for_ever_is_not_known(expression: str) -> None:
    assert evaluated(expression) == GAP


def test_a_map_that_holds_itself_ends_the_template() -> None:
    with pytest.raises(Spent):
        evaluated('$d := dict }}{{ $_ := set $d "d" $d }}{{ toYaml $d')


ODD: Sequence[object] = (
    *(None, True, 0, -1, 3, 10**18, 2.5, float("inf"), "", "a", "1.2", GAP, f"a{GAP}", "\ud800"),
    *([], ["a", None, UNKNOWN], {}, {"a": 1, "b": [2]}, UNKNOWN, Version({"Version": "v1"})),
)


@pytest.mark.parametrize("name", sorted(functions.names() - functions.BY_EVALUATOR))
def test_a_function_takes_whatever_it_is_given(name: str) -> None:
    given = [list(one) for one in product(ODD, ODD)] + [[one] for one in ODD] + [[]]
    given += [[one, two, three] for (one, two), three in zip(product(ODD, ODD), cycle(ODD[::-1]))]
    for arguments in given:
        budget = Budget(20_000)
        copies = [copied(one, budget) for one in arguments]
        with suppress(Spent):
            answer = functions.call(name, copies, budget)
            assert answer is not functions.MISSING
            assert isinstance(shown(answer), str)


def test_a_function_that_is_not_known_is_told_apart() -> None:
    assert functions.call("frobnicate", [], Budget(10)) is functions.MISSING
    assert functions.call("genCA", ["a", 1], Budget(10)) is UNKNOWN


def test_the_page_on_charts_lists_the_functions_that_are_known() -> None:
    page = (Path(__file__).parents[4] / "docs" / "charts.md").read_text("utf-8")
    quoted = "".join(line for line in page.splitlines() if line.startswith("> "))
    assert {*re.findall(r"`(\w+)`", quoted)} == {
        name for name in functions.names() if not name.startswith("must")
    }
