"""What charts come to with their own values, and what is not known of them."""

import pytest

from mergegate.core.progress import silent
from mergegate.core.report import EngineStatus
from mergegate.core.severity import Aspect
from mergegate.core.tree import Reason
from mergegate.repo.cache import RunMemory
from mergegate.repo.engines import helm
from mergegate.repo.engines import manifests as documents
from mergegate.repo.facts.documents import MASKED, Rendered
from mergegate.repo.fixes import manifests
from mergegate.repo.search_map import draw
from mergegate.sandbox.engines.engine import EngineContext, Gathered
from mergegate.sandbox.engines.runner import gather_all
from tests.repo.engines.helm.charts import (
    CHART,
    POD,
    chart,
    gathered,
    read,
    roots,
    said,
    spec,
    tree,
)
from tests.repo.fixes.infrastructure import made
from tests.secrets.mint import minted


def limits(found: Gathered) -> dict[str, str]:
    return {one.path: one.reason.rpartition("rendered: ")[2] for one in found.limited}


@pytest.mark.parametrize(
    ("template", "values", "expected"),
    [
        ("  a: {{ .Values.b.c }}\n", "b: {c: 1}", {"a": "1"}),
        ("  {{- if .Values.on }}\n  a: 1\n  {{- else }}\n  b: 2\n  {{- end }}\n", "", {"b": "2"}),
        (
            "  {{- if .Values.x }}\n  a: 1\n  {{- else if .Values.z }}\n  b: 2\n  {{- end }}\n",
            "z: 1",
            {"b": "2"},
        ),
        (
            "  l:\n  {{- range $i, $e := .Values.l }}\n  - {{ $i }}{{ $e }}\n  {{- end }}\n",
            "l: [a, b]",
            {"l": ["0a", "1b"]},
        ),
        (
            "  {{- range $k, $v := .Values.m }}\n  {{ $k }}: {{ $v }}\n  {{- end }}\n",
            "m: {b: 2, a: 1}",
            {"a": "1", "b": "2"},
        ),
        ("  {{- with .Values.m }}\n  a: {{ .x }}\n  {{- end }}\n", "m: {x: 5}", {"a": "5"}),
        ("  {{- toYaml .Values.m | nindent 2 }}\n", "m: {a: [1]}", {"a": ["1"]}),
        ("  {{- $x := 1 }}{{ if true }}{{ $x = 2 }}{{ end }}\n  a: {{ $x }}\n", "", {"a": "2"}),
        (
            "  a:{{ range until 9 }}{{ if eq . 2 }}{{ break }}{{ end }} {{ . }}{{ end }}\n",
            "",
            {"a": "0 1"},
        ),
        ("  {{/* a\ncomment */ -}}\n  a: {{ .Release.Name }}\n", "", {"a": "release-name"}),
        ("  a: {{ .Chart.Name }}-{{ .Chart.AppVersion }}\n", "", {"a": "web-2.0"}),
        ("  a: {{ tpl .Values.t . }}\n", 't: "{{ .Chart.Name }}"', {"a": "web"}),
    ],
)
def test_a_template_is_rendered_with_default_values(
    template: str, values: str, expected: object
) -> None:
    assert spec(template, values) == expected


def test_helpers_of_other_files_are_included() -> None:
    helpers = '{{ define "web.l" }}\na: {{ .Chart.Name }}\nb: 1{{ end }}'
    template = '  {{- include "web.l" . | nindent 2 }}\n'
    files = chart(POD + template) | {"web/templates/_helpers.tpl": helpers}
    assert [said(root["spec"]) for root in roots(files)] == [{"a": "web", "b": "1"}]


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("  a: {{ .Values.none.x }}\n  b: 1\n", {"a": None, "b": "1"}),
        ("  a: x-{{ .Release.Namespace }}\n", {"a": None}),
        ('  a: 1\n  {{- include "gone" . | nindent 2 }}\n', {"a": "1", "...": None}),
        ('  l:\n  - a\n  {{- include "gone" . | nindent 2 }}\n', {"l": ["a", None]}),
        ('  a:\n    {{- include "gone" . | nindent 4 }}\n  b: 1\n', {"a": None, "b": "1"}),
        (
            "  a: 1\n  {{- if uuidv4 }}\n  b: 2\n  c:\n    d: 3\n  {{- end }}\n  e: 4\n",
            {"a": "1", "e": "4", "...": None},
        ),
        ("  a: {{ if uuidv4 }}x{{ else }}y{{ end }}\n", {"a": None}),
        ("  l:\n  {{- range uuidv4 }}\n  - {{ . }}\n  {{- end }}\n", {"l": [None]}),
        ("  {{- $x := 1 }}{{ if uuidv4 }}{{ $x = 2 }}{{ end }}\n  a: {{ $x }}\n", {"a": None}),
        ('  a: {{ .Release.Namespace | quote }}\n  "{{ uuidv4 }}": 1\n', {"a": None, "...": None}),
    ],
)
def test_what_nobody_decided_is_not_known(template: str, expected: object) -> None:
    assert spec(template) == expected


def test_a_map_that_may_have_been_changed_is_not_known_there() -> None:
    doubtful = '{{ $m := dict "a" 1 "b" 2 }}{{ if uuidv4 }}{{ $_ := set $m "a" 3 }}{{ end }}'
    [root] = roots(chart(doubtful + "\n" + POD + "  {{- toYaml $m | nindent 2 }}\n"))
    assert said(root["spec"]) == {"a": None, "b": "2"}


def test_a_map_with_more_than_is_known_lacks_nothing() -> None:
    [root] = roots(chart(POD + '  a: 1\n  {{- include "gone" . | nindent 2 }}\n'))
    missing = root["spec"]["b"]
    assert missing.present
    assert not missing.is_literal


def test_each_value_has_the_line_of_the_template_that_it_came_from() -> None:
    template = POD + (
        "  {{- if .Values.x }}\n  a:\n    {{- toYaml .Values.m | nindent 4 }}\n  {{- end }}\n"
        "  {{- range .Values.l }}\n  k{{ . }}: 1\n  {{- end }}\n  last: 1\n"
    )
    [root] = roots(chart(template, "x: 1\nm: {p: 1, q: [2]}\nl: [1, 2]"))
    lines = {key: value.line for key, value in root["spec"].entries}
    assert lines == {"a": 7, "k1": 11, "k2": 11, "last": 13}
    assert {value.line for _, value in root["spec"]["a"].entries} == {8}


def test_several_documents_of_a_template_are_told_apart() -> None:
    names = [
        root["metadata"]["name"].text
        for root in roots(
            chart(
                "{{- range .Values.l }}\n---\napiVersion: v1\nkind: Pod\n"
                "metadata: {name: {{ . }}}\n{{- end }}",
                "l: [a, b]",
            )
        )
    ]
    assert names == ["a", "b"]


def test_values_of_a_chart_reach_those_within_it() -> None:
    files = chart("", "global: {g: G}\nsub: {a: 1}\nextra: {enabled: false}") | {
        "web/Chart.yaml": CHART
        + "dependencies:\n- {name: sub}\n- {name: extra, condition: extra.enabled}\n",
        "web/charts/sub/Chart.yaml": "name: sub\n",
        "web/charts/sub/values.yaml": "a: 0\nb: 2\n",
        "web/charts/sub/templates/s.yaml": POD
        + "  v: {{ .Values.a }}{{ .Values.b }}{{ .Values.global.g }}{{ .Chart.Name }}\n",
        "web/charts/extra/Chart.yaml": "name: extra\n",
        "web/charts/extra/templates/o.yaml": POD + "  v: 1\n",
    }
    found = {one.path: one.found for one in read(files).files if one.found.documents}
    assert list(found) == ["web/charts/sub/templates/s.yaml"]
    [document] = found["web/charts/sub/templates/s.yaml"].documents
    assert said(document.root["spec"]) == {"v": "12Gsub"}


def test_a_library_beside_the_chart_in_the_tree_is_used() -> None:
    files = chart(POD + '  a: {{ include "lib.x" . }}\n') | {
        "web/Chart.yaml": CHART + 'dependencies:\n- {name: lib, repository: "file://../lib"}\n',
        "lib/Chart.yaml": "name: lib\ntype: library\n",
        "lib/templates/_x.tpl": '{{ define "lib.x" }}from-{{ .Chart.Name }}{{ end }}',
    }
    [root] = roots(files)
    assert said(root["spec"]) == {"a": "from-web"}


def test_a_secret_of_the_values_is_masked_and_still_told() -> None:
    word = minted("password")
    template = POD + (
        "  containers:\n  - name: c\n    env:\n    - name: DB_PASSWORD\n"
        "      value: {{ .Values.password | quote }}\n"
    )
    memory = RunMemory()
    files = chart(template, f"password: {word}\n")
    [root] = roots(files)
    [container] = root["spec"]["containers"].items
    assert container["env"].items[0]["value"].text == MASKED
    assert word not in repr(gathered(files, memory))


@pytest.mark.parametrize(
    ("template", "why"),
    [
        ("a: {{ frobnicate 1 }}", "it calls the function frobnicate, which is not known here"),
        ("a: {{ if }}", "it is no valid template: line 1 holds an action without a value"),
        ("{{ if true }}\na: 1", "it is no valid template: the block of line 1 does not end"),
        ("a: {{ $x }}", "it uses the variable $x, which is not set"),
        ("a: b: {{ 1 }}", "what its default values make of it cannot be read: it is not valid"),
        ("{{ if uuidv4 }}\n---\na: 1\n{{ end }}", "whole documents of it depend on what is not"),
    ],
)
def test_what_cannot_be_rendered_is_named(template: str, why: str) -> None:
    found = gathered(chart(template))
    [(path, told)] = limits(found).items()
    assert path == "web/templates/a.yaml"
    assert told.startswith(why)
    assert found.limited[0].cause is Reason.LANGUAGE
    assert found.run.status is EngineStatus.LIMITED
    assert path not in found.searched


@pytest.mark.parametrize(
    "template",
    [
        '{{ define "a" }}{{ include "a" . }}{{ end }}{{ include "a" . }}',
        "{{ range until 9999 }}{{ range until 9999 }}x{{ end }}{{ end }}",
        '{{ $x := "0123456789" }}{{ range until 60 }}{{ $x = print $x $x }}{{ end }}{{ $x }}',
        "{{ $d := list 1 }}{{ range until 60 }}{{ $d = list $d $d }}{{ end }}{{ toYaml $d }}",
        "{{ tpl .Values.t . }}",
    ],
)
def test_a_template_without_end_ends(template: str) -> None:
    found = gathered(chart(template, "t: '{{ tpl .Values.t . }}'"))
    assert limits(found) == {"web/templates/a.yaml": "it takes more than 300,000 steps to render"}
    assert found.limited[0].cause is Reason.GIVE_UP


def test_values_that_stand_for_more_than_they_say_are_bounded() -> None:
    lines = ["a0: &a0 [x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9)]
    found = gathered(chart("a: {{ toYaml .Values.a8 }}", "\n".join(lines)))
    assert limits(found) == {"web/templates/a.yaml": "its chart takes too many steps to read"}
    assert found.limited[0].cause is Reason.GIVE_UP


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ("a: b: c", "values.yaml of its chart is not valid YAML"),
        (f"a: {'x' * 1024 * 1024}", "its chart takes too many steps to read"),
        (f"a: {'[' * 100}{']' * 100}", "values.yaml of its chart is not valid YAML"),
    ],
)
def test_a_chart_whose_values_cannot_be_read_is_named(values: str, why: str) -> None:
    assert limits(gathered(chart(POD, values))) == {"web/templates/a.yaml": why}


def test_a_template_that_is_too_large_is_named() -> None:
    found = gathered(chart(POD + "#" * 1024 * 1024))
    assert limits(found) == {"web/templates/a.yaml": "it is too large"}


@pytest.mark.parametrize(
    "template",
    [
        "{{/*" * 50_000,
        "{{/* x */ -}}" * 20_000,
        '{{ "' * 50_000,
        "{{ $d := list 1 }}{{ range until 60 }}{{ $d = list $d $d }}{{ end }}{{ $d }}",
        "{{ $d := list 1 }}{{ range until 60 }}{{ $d = list $d $d }}{{ end }}{{ toString $d }}",
        "{{ $d := list 1 }}{{ range until 60 }}{{ $d = list $d $d }}{{ end }}{{ deepCopy $d }}",
        "{{ $d := list 1 }}{{ range until 60 }}{{ $d = list $d $d }}{{ end }}{{ dict $d 1 }}",
        "{{ $d := dict }}{{ $_ := set $d `d` $d }}{{ merge (dict) $d }}",
        "{{ range until 9000 }}{{ uuidv4 }}\n{{ end }}",
        "".join(f"{{{{ $a{n} := 1 }}}}" for n in range(9000)) + "{{ range until 9000 }}x{{ end }}",
    ],
)
def test_a_hostile_template_is_done_with_soon(template: str) -> None:
    found = gathered(chart(template))
    [rendered] = found.facts
    assert isinstance(rendered, Rendered)
    assert [one.documents for one in rendered.files.values()] in ([], [()])


def test_charts_that_bring_one_another_without_end_are_bounded() -> None:
    needs = "dependencies:\n" + "".join(
        f'- {{name: n{n}, alias: a{n}, repository: "file://../%s"}}\n' for n in range(40)
    )
    files = chart(POD) | {
        "web/Chart.yaml": CHART + needs.replace("%s", "lib"),
        "lib/Chart.yaml": "name: lib\n" + needs.replace("%s", "web"),
        "lib/templates/l.yaml": POD,
    }
    assert set(limits(gathered(files)).values()) == {"its chart takes too many steps to read"}


def test_blocks_without_end_are_no_template() -> None:
    found = gathered(chart("{{ if true }}" * 5000 + "{{ end }}" * 5000))
    assert "nested more than" in limits(found)["web/templates/a.yaml"]


def test_a_sign_of_ours_in_a_template_hides_nothing() -> None:
    assert spec("  a: \ue000\n  b: {{ .Values.x }}\n", 'x: "\ue000"') == {
        "a": "\ufffd",
        "b": "\ufffd",
    }


def test_a_chart_is_rendered_anew_only_where_something_of_it_changed() -> None:
    memory = RunMemory()
    first = gathered(chart(POD), memory)
    again = gathered(chart(POD), memory)
    other = gathered(chart(POD, "a: 1"), memory)
    assert (first.run.reused, again.run.reused, other.run.reused) == (0, 1, 0)
    assert first.facts == again.facts


TEMPLATE = (
    POD + '  containers:\n  - name: "{{ .Chart.Name }}"\n    securityContext: {privileged: true}\n'
)


@pytest.mark.parametrize(
    ("text", "path", "is_searched"),
    [
        (TEMPLATE, "web/templates/a.yaml", False),
        (TEMPLATE, "templates/a.yaml", False),
        (TEMPLATE.replace("{{ .Chart.Name }}", "a"), "web/templates/a.yaml", True),
        (TEMPLATE, "web/a.yaml", True),
    ],
)
def test_a_changed_copy_of_a_template_proves_nothing(
    text: str, path: str, *, is_searched: bool
) -> None:
    with tree({"0/a.yaml": text}, copy_of=path) as (seen, stage):
        found = helm.source(RunMemory()).gather(seen, EngineContext(stage), {})
    assert [one.path for one in found.limited] == ([] if is_searched else ["0/a.yaml"])


def test_no_fix_is_proposed_into_a_template() -> None:
    assert made(manifests.unprivileged, "yaml", TEMPLATE, "privileged") is None
    plain = TEMPLATE.replace("{{ .Chart.Name }}", "a")
    assert made(manifests.unprivileged, "yaml", plain, "privileged") is not None


def test_a_template_is_searched_where_it_was_rendered_and_named_where_not() -> None:
    files = chart(POD + "  a: {{ .Values.x }}\n", templates__b=POD) | {
        "web/templates/bad.yaml": POD + "  a: {{ frobnicate }}\n",
    }
    memory = RunMemory()
    with tree(files) as (seen, stage):
        searches = gather_all(
            [helm.source(memory), documents.source(memory)], seen, EngineContext(stage), silent
        )
    drawn = draw(seen, searches, {Aspect.IAC})
    assert drawn.searched[Aspect.IAC]["web/templates/a.yaml"] == ("helm", "documents")
    [gap] = drawn.gaps
    assert (gap.path, gap.search) == ("web/templates/bad.yaml", Aspect.IAC)
    assert "frobnicate" in gap.reason
