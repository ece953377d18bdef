"""What the values of Azure's templates come to, whether JSON or Bicep says them."""

import json
from collections.abc import Mapping

import pytest
import yaml

from mergegate.core.severity import Severity
from mergegate.repo.checks.infrastructure.dialects import arm
from mergegate.repo.engines import documents
from mergegate.repo.facts.documents import MASKED
from mergegate.repo.facts.resources import Dialect, Resource
from mergegate.repo.infrastructure import entries
from tests.repo.engines.test_terraform import said
from tests.repo.infrastructure.examples import SCHEMA
from tests.repo.infrastructure.reading import answers, told, told_of_each
from tests.secrets.mint import minted

DECLARED = {
    "parameters": {
        "given": {"type": "string", "defaultValue": "v"},
        "open": {"type": "string"},
        "on": {"type": "bool", "defaultValue": True},
        "tree": {"type": "object", "defaultValue": {"A": {"b": ["x", "y"]}}},
        "loop": {"type": "string", "defaultValue": "[parameters('loop')]"},
    },
    "variables": {
        "mixed": "[concat(parameters('given'), '-', 'w')]",
        "copy": [{"name": "made", "count": 2, "input": "[copyIndex('made')]"}],
    },
}
BICEP = """
param given string = 'v'
param open string
param on bool = true
param tree object = { A: { b: ['x', 'y'] } }
param missing string?
var mixed = '${given}-w'
var numbers = [for n in range(0, 2): n]
resource other 'Microsoft.Example/others@2024-01-01' existing = { name: 'o' }
resource tested 'Microsoft.Example/things@2024-01-01' = {
  name: 'tested'
  properties: {
    x: VALUE
  }
}
"""


def read(files: Mapping[str, str]) -> list[Resource]:
    return list(arm.resources(documents.fact(answers(documents.DocumentEngine(), files))))


def made(files: Mapping[str, str]) -> list[Resource]:
    """What is deployed: without what templates declare, and the deployments themselves."""
    own = (one for one in read(files) if not one.kind.startswith("arm."))
    return [one for one in own if one.kind.lower() != "microsoft.resources/deployments"]


def template(*resources: object, **more: object) -> str:
    return json.dumps({"$schema": SCHEMA, **DECLARED, "resources": resources, **more}, indent=1)


def thing(**settings: object) -> dict[str, object]:
    return {"type": "Microsoft.Example/things", "name": "tested", **settings}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "plain"),
        ("[[plain]", "[plain]"),
        ("[parameters('given')]", "v"),
        ("[Parameters('GIVEN')]", "v"),
        ("[parameters('open')]", None),
        ("[parameters('nowhere')]", None),
        ("[parameters('loop')]", None),
        ("[parameters('tree').a.b[1]]", "y"),
        ("[parameters('tree')['A'].B[5]]", None),
        ("[variables('mixed')]", "v-w"),
        ("[variables('made')]", ["0", "1"]),
        ("[concat('a', parameters('open'))]", None),
        ("[concat(createArray('a'), createArray('b'))]", ["a", "b"]),
        ("[format('{0}-{1:D2}-{{x}}', 'a', 7)]", "a-7-{x}"),
        ("[if(parameters('on'), 'yes', 'no')]", "yes"),
        ("[if(equals(parameters('given'), 'w'), 'yes', 'no')]", "no"),
        ("[if(equals(parameters('open'), 'w'), 'yes', 'no')]", None),
        ("[if(not(parameters('on')), 'yes', null())]", None),
        ("[and(parameters('on'), false())]", "false"),
        ("[or(parameters('open'), true())]", "true"),
        ("[coalesce(null(), 'a')]", "a"),
        ("[toLower('AB')]", "ab"),
        ("[replace('a.b', '.', '-')]", "a-b"),
        ("[join(split('a,b', ','), '-')]", "a-b"),
        ("[length(parameters('tree').A.b)]", "2"),
        ("[empty('')]", "true"),
        ("[contains(parameters('tree'), 'a')]", "true"),
        ("[union(parameters('tree'), createObject('A', createObject('b', 'c'))).a]", {"b": "c"}),
        ("[union(parameters('tree'), parameters('open'))]", None),
        ("[greater(add(1, 2), 2)]", "true"),
        ("[first(range(3, 2))]", "3"),
        ("['it''s']", "it's"),
        ("[uniqueString(resourceGroup().id)]", None),
        ("[contoso.named('a')]", None),
        ("[concat('a']", None),
        ("[concat(]", None),
        ("[first()]", None),
        ("[range('a')]", None),
        ("[equals('a')]", None),
        ("[" + "concat(" * 60 + "'a'" + ")" * 60 + "]", None),
        (None, "absent"),
    ],
)
def test_value_of_a_template(text: str | None, expected: object) -> None:
    [one] = made({"t.json": template(thing(properties={"x": text}))})
    value = one.properties.at("properties", "x")
    assert (said(value) if value.present else None if expected is None else "absent") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("'plain'", "plain"),
        (r"'it\'s \u{41}\$\{'", "it's A${"),
        ("'[plain]'", "[plain]"),
        ("'''\na\nb'''", "a\nb"),
        ("given", "v"),
        ("open", None),
        ("nowhere", None),
        ("mixed", "v-w"),
        ("numbers", ["0", "1"]),
        ("'a-${given}'", "a-v"),
        ("'a-${open}'", None),
        ("on ? 'yes' : 'no'", "yes"),
        ("on\n      ? 'yes'\n      : 'no'", "yes"),
        ("!on || given != 'v' ? 'yes' : 'no'", "no"),
        ("open == 'a' ? 'yes' : 'no'", None),
        ("given =~ 'V' && 1 < 2", "true"),
        ("tree.a.b[1]", "y"),
        ("tree.?c ?? 'none'", "none"),
        ("missing ?? 'none'", None),
        ("tree!.A['b'][?0]", "x"),
        ("1 + 2 * 3", "7"),
        ("-1", "-1"),
        ("(1 + 2) * 3", "9"),
        ("[\n  'a' // first\n  'b'\n]", ["a", "b"]),
        ("['a', ...['b'], 'c']", ["a", "b", "c"]),
        ("{ a: 'b', ...{ c: 'd' } }", {"a": "b", "c": "d"}),
        ("{ a: 'b', ...open }", None),
        ("[for (n, i) in ['p', 'q']: '${n}${i}']", ["p0", "q1"]),
        ("[for n in open: { a: 'b', c: n }]", [{"a": "b", "c": None}]),
        ("map(numbers, n => n + 1)", None),
        ("sys.toLower('AB')", "ab"),
        ("any(given)", "v"),
        ("toLower(\n  'AB'\n)", "ab"),
        ("other.id", "<other>"),
        ("/* why */ 'a'", "a"),
    ],
)
def test_value_of_a_bicep_file(text: str, expected: object) -> None:
    [one] = made({"t.bicep": BICEP.replace("VALUE", text)})
    assert (one.dialect, one.kind, one.address) == (
        Dialect.ARM, "Microsoft.Example/things", "tested",
    )  # fmt: skip
    assert said(one.properties.at("properties", "x")) == expected


def test_what_declares_no_resource_is_gone_over() -> None:
    declared = """
targetScope = 'subscription'
metadata owner = 'a'
extension microsoftGraph
import { b } from 'c.bicep'
#disable-next-line no-unused-params
@description('''
Of several lines, and "quotes" {
''')
@allowed(['a', 'b'])
param one 'a' | 'b' = 'a'
param two { name: string
  size: int? }
param three resourceInput<'Microsoft.Example/things@2024-01-01'>.properties
type four =
  | 'x'
  | 'y'
type five = { a: string }[]
@export()
func six(a string) string => toLower(a)
assert seven = true
output eight array = [for n in range(0, 2): {
  a: n
}]
"""
    assert [one.address for one in made({"t.bicep": declared + BICEP})] == ["tested"]


@pytest.mark.parametrize(
    "text", ["resource a", "param\n", "<html>", "var a = {\n  b: [\n", "var a = 'b"]
)
def test_what_is_no_bicep_is_named(text: str) -> None:
    with pytest.raises(AssertionError):
        made({"t.bicep": text})


def test_template_of_another_engine_is_no_bicep_yet() -> None:
    text = "{{#if isBot}}\nparam a string\n{{/if}}\n"
    [(_, found)] = answers(documents.DocumentEngine(), {"t.bicep": text}).files
    assert found.template


def test_deep_nesting_is_named_and_does_not_break() -> None:
    chains = ("a" + " + a" * 5000, "a" + ".b" * 5000, "a" + " ?? a" * 5000)
    for text in ("(" * 5000, "[" * 5000, "!" * 5000, "{a:" * 5000, "'${" * 5000, *chains):
        with pytest.raises(AssertionError):
            made({"t.bicep": f"var a = {text}"})


def test_false_conditions_leave_a_resource_out() -> None:
    text = template(
        thing(condition=False), thing(condition="[parameters('open')]", name="may"),
        thing(condition="[not(parameters('on'))]"),
    )  # fmt: skip
    assert [one.address for one in made({"t.json": text})] == ["may"]


def test_copies_of_a_resource_differ() -> None:
    text = template(
        thing(name="[format('n{0}', copyIndex(1))]", copy={"name": "all", "count": 3}),
        thing(name="[concat('m', copyIndex('f'))]", copy={"name": "f", "count": "[length('ab')]"}),
        thing(copy={"name": "many", "count": "[parameters('open')]"}, kind="[copyIndex()]"),
    )  # fmt: skip
    found = made({"t.json": text})
    assert [one.address for one in found] == ["n1", "n2", "n3", "m0", "m1", "tested"]
    assert said(found[-1].properties["kind"]) is None


def test_copies_of_a_property_are_a_list() -> None:
    made_of = {"name": "rules", "count": 2, "input": {"port": "[copyIndex('rules')]"}}
    [one] = made({"t.json": template(thing(properties={"copy": [made_of]}))})
    assert said(one.properties.at("properties", "rules")) == [{"port": "0"}, {"port": "1"}]


def test_child_has_the_types_of_both() -> None:
    inner = {"type": "parts", "name": "p", "resources": [{"type": "bits", "name": "b"}]}
    whole = {"type": "Microsoft.Other/links", "name": "l"}
    found = made({"t.json": template(thing(resources=[inner, whole]))})
    assert [one.kind for one in found] == [
        "Microsoft.Example/things", "Microsoft.Example/things/parts",
        "Microsoft.Example/things/parts/bits", "Microsoft.Other/links",
    ]  # fmt: skip
    nested = "name: 'tested'\n  resource part 'parts' = {\n    name: 'p'\n  }\n"
    found = made({"t.bicep": BICEP.replace("name: 'tested'\n", nested)})
    assert [one.kind for one in found][1] == "Microsoft.Example/things/parts"


def test_resources_by_symbolic_name() -> None:
    text = json.dumps({"$schema": SCHEMA, "resources": {"a": thing(), "b": thing(existing=True)}})
    assert [one.address for one in made({"t.json": text})] == ["a"]


def nested(scope: str) -> str:
    inside = {"parameters": {"given": {"type": "string"}},
              "resources": [thing(properties={"x": "[parameters('given')]"})]}  # fmt: skip
    options = {"scope": scope}
    properties = {"expressionEvaluationOptions": options, "template": inside,
                  "parameters": {"given": {"value": "[toUpper(parameters('given'))]"}}}  # fmt: skip
    deployment = {"type": "Microsoft.Resources/deployments", "name": "d", "properties": properties}
    return template(deployment)


@pytest.mark.parametrize(("scope", "expected"), [("inner", "V"), ("outer", "v")])
def test_nested_template_is_evaluated_in_its_scope(scope: str, expected: str) -> None:
    [one] = made({"t.json": nested(scope)})
    assert said(one.properties.at("properties", "x")) == expected


MODULE = """
param x string = 'own'
param rest object = {}
param left string?
resource inside 'Microsoft.Example/things@2024-01-01' = {
  name: 'n'
  properties: {
    x: x
    rest: rest
    left: left ?? 'none'
  }
}
"""


def test_module_is_evaluated_as_it_is_called() -> None:
    given = "x: 'given'\n    rest: {\n      a: 'b'\n    }"
    caller = f"module one 'parts/m.bicep' = {{\n  params: {{\n    {given}\n  }}\n}}\n"
    [one] = made({"main.bicep": caller, "parts/m.bicep": MODULE})
    properties = one.properties["properties"]
    assert said(properties) == {"x": "given", "rest": {"a": "b"}, "left": "none"}
    assert (one.path, one.root) == ("parts/m.bicep", "main.bicep")
    assert {node.line for node in properties["rest"].walk()} == {9}


def test_module_that_nothing_calls_has_its_own_defaults() -> None:
    [one] = made({"m.bicep": MODULE})
    assert said(one.properties.at("properties", "x")) == "own"


def test_linked_template_is_evaluated_as_it_is_called() -> None:
    link = {"templateLink": {"relativePath": "b.json"}, "parameters": {"given": {"value": "w"}}}
    deployment = {"type": "Microsoft.Resources/deployments", "name": "d", "properties": link}
    linked = template(thing(properties={"x": "[parameters('given')]"}))
    [one] = made({"a.json": template(deployment), "b.json": linked})
    assert (one.path, said(one.properties.at("properties", "x"))) == ("b.json", "w")


def test_circle_of_modules_ends_and_each_is_seen() -> None:
    def call(other: str) -> str:
        return f"module m '{other}' = {{\n  name: 'm'\n}}\n" + MODULE

    found = made({"a.bicep": call("b.bicep"), "b.bicep": call("a.bicep")})
    assert {one.path for one in found} == {"a.bicep", "b.bicep"}


def test_value_that_is_doubled_again_and_again_is_not_known() -> None:
    doubled = "".join(f"var v{n + 1} = [v{n}, v{n}]\n" for n in range(40))
    text = BICEP.replace("VALUE", "v40") + doubled + "var v0 = 1\n"
    [one] = made({"t.bicep": text})
    nodes = sum(1 for _ in one.properties.walk())
    assert nodes < 500_000


def test_small_file_cannot_stand_for_endless_work() -> None:
    doubled = {f"v{n + 1}": f"[concat(variables('v{n}'), variables('v{n}'))]" for n in range(60)}
    variables = {"v0": "ab", **doubled}
    loops = {
        "name": "l",
        "count": 1000,
        "input": {"copy": [{"name": "m", "count": 1000, "input": 1}]},
    }
    text = template(
        thing(properties={"x": "[variables('v60')]", "copy": [loops]}), variables=variables
    )
    [one] = made({"t.json": text})
    assert said(one.properties.at("properties", "x")) is None


def test_comments_of_a_json_template_are_left_out() -> None:
    text = template(thing(properties={"x": "https://a.example // no comment"}))
    text = "// first\n" + text.replace('"resources"', '/* two\nlines */ "resources"')
    [one] = made({"t.json": text})
    assert said(one.properties.at("properties", "x")) == "https://a.example // no comment"
    assert one.line == text[: text.index("Microsoft.Example")].count("\n")


def test_letters_of_types_and_names_may_be_large_or_small() -> None:
    resource = {"type": "microsoft.storage/StorageAccounts", "name": "a",
                "properties": {"SupportsHttpsTrafficOnly": False}}  # fmt: skip
    found = told({"t.json": json.dumps({"$schema": SCHEMA, "resources": [resource]})})
    assert "terraform-azure-storage-plain-http" in {one.rule_id for one in found}


def as_bicep(value: object, indent: str = "") -> str:
    """A value in Bicep's notation."""
    inner = indent + "  "
    if isinstance(value, dict):
        lines = [f"{inner}'{key}': {as_bicep(one, inner)}\n" for key, one in value.items()]
        return "{\n" + "".join(lines) + indent + "}"
    if isinstance(value, list):
        return "[\n" + "".join(f"{inner}{as_bicep(one, inner)}\n" for one in value) + indent + "]"
    if isinstance(value, str):
        return "'" + value.replace("\\", "\\\\").replace("'", "\\'").replace("${", "\\${") + "'"
    return str(value).lower() if isinstance(value, bool) else str(value)


def declared(kind: str, says: Mapping[str, object]) -> str:
    """The declaration of a resource, or of a parameter, in Bicep's notation."""
    if kind != "arm.parameter":
        return f"resource a '{kind}@2024-01-01' = {as_bicep(says)}\n"
    plain = str(says["type"]).removeprefix("secure")
    sign = "" if plain == says["type"] else "@secure()\n"
    return (
        f"{sign}param {says['name']} {plain}\nresource a 'Microsoft.Example/a@2024-01-01' = {{}}\n"
    )


IN_AZURE = [one for one in entries().values()
            if any(subject.dialect is Dialect.ARM for subject in one.subjects)]  # fmt: skip


def test_examples_say_the_same_in_bicep() -> None:
    asked = [
        (entry, body in subject.bad, declared(subject.kinds[0], {"name": "tested", **given}))
        for entry in IN_AZURE
        for subject in entry.subjects
        for body in ((*subject.bad, *subject.good) if subject.dialect is Dialect.ARM else ())
        if '"[' not in body
        for given in [yaml.safe_load(body) or {}]
    ]
    assert len(asked) > 1_000
    findings = told_of_each([{"main.bicep": text} for _, _, text in asked])
    wrong = [
        (entry.id, text)
        for (entry, is_bad, text), found in zip(asked, findings, strict=True)
        if any(one.rule_id == entry.id for one in found) is not is_bad
    ]
    assert wrong == []


ACCOUNT = """
resource account 'Microsoft.Storage/storageAccounts@2023-05-01' existing = { name: 'a' }
@secure()
param word string
var joined = 'key=${account.listKeys().keys[0].value}'
"""


@pytest.mark.parametrize(
    ("output", "is_told"),
    [
        ("output x string = joined", True),
        ("output x string = word", True),
        (
            "output x object = { login: account.listAccountSas('2023-05-01', {}).accountSasToken }",
            True,
        ),
        ("output x string = listKeys(account.id, '2023-05-01').keys[0].value", True),
        ("@secure()\noutput x string = word", False),
        ("output x bool = empty(word)", False),
        ("output x string = account.properties.primaryEndpoints.blob", False),
        ("output x string = other", False),
        ("@secure()\nparam bag object\noutput x string = bag.siteName", False),
    ],
)
def test_secret_that_a_bicep_file_gives_out_is_told(output: str, is_told: bool) -> None:
    found = told({"main.bicep": f"{ACCOUNT}var other = account.id\n{output}\n"})
    assert ("azure-secret-given-out" in {one.rule_id for one in found}) is is_told


def test_variable_that_takes_a_secret_is_followed_in_json_as_well() -> None:
    outputs = {"x": {"type": "string", "value": "[variables('b')]"},
               "y": {"type": "string", "value": "[variables('loop')]"}}  # fmt: skip
    variables = {
        "a": "[listKeys('a', '2023-05-01').keys[0].value]",
        "b": "[concat('k=', variables('a'))]",
        "loop": "[variables('loop')]",
    }
    text = json.dumps({"$schema": SCHEMA, "variables": variables, "resources": [],
                       "outputs": outputs}, indent=1)  # fmt: skip
    [one] = told({"t.json": text})
    assert one.rule_id == "azure-secret-given-out"
    assert one.place.start_line == text[: text.index('"x"')].count("\n") + 1


def test_secure_parameter_in_the_open_settings_of_an_extension_is_told() -> None:
    def extension(part: str) -> str:
        return (
            "@secure()\nparam word string\n"
            "resource e 'Microsoft.Compute/virtualMachines/extensions@2023-09-01' = {\n"
            "  name: 'a/join'\n  properties: {\n"
            f"    {part}: {{ commandToExecute: 'join.sh ${{word}}' }}\n  }}\n}}\n"
        )

    rules = [
        {one.rule_id for one in told({"main.bicep": extension(part)})}
        for part in ("settings", "protectedSettings")
    ]
    assert rules == [{"azure-machine-secret-in-settings"}, set()]


STORE = """param open bool
param tls string = 'TLS1_2'
resource store 'Microsoft.Storage/storageAccounts@2023-01-01' = {
  name: 'a'
  properties: {
    supportsHttpsTrafficOnly: open
    minimumTlsVersion: tls
  }
}
"""
OPEN = json.dumps({"$schema": SCHEMA, "parameters": {"Open": {"value": False}}}).replace(
    "deploymentTemplate", "deploymentParameters"
)


@pytest.mark.parametrize(
    ("path", "text", "line"),
    [
        ("main.parameters.json", OPEN, 6),
        ("main.prod-eu.parameters.json", f"// of production\n{OPEN}", 6),
        ("parameters/main-params.json", OPEN, 6),
        ("parameters.json", OPEN, 6),
        ("prod.bicepparam", "using './main.bicep'\nparam open = 1 == 2\n", 6),
        ("env/a.bicepparam", "using '../main.bicep'\nvar a = 'TLS1_0'\nparam tls = a\n", 7),
        ("main.parameters.json", OPEN.replace("false", "true"), 0),
        ("main.parameters.json", OPEN.replace("Open", "other"), 0),
        ("mainframe.parameters.json", OPEN, 0),
        ("other/main.parameters.json", OPEN, 0),
        ("prod.bicepparam", "using 'other.bicep'\nparam open = false\n", 0),
        ("prod.bicepparam", "using 'main.bicep'\nparam open = readEnvironmentVariable('A')\n", 0),
        ("examples/a.bicepparam", "using '../main.bicep'\nparam open = false\n", 0),
    ],
)
def test_a_template_is_judged_with_each_file_of_parameters(path: str, text: str, line: int) -> None:
    found = told({"main.bicep": STORE, path: text})
    lines = {one.place.start_line for one in found if one.severity > Severity.INFO}
    assert lines == ({line} if line else set())


def test_a_secret_of_a_file_of_parameters_is_not_kept() -> None:
    secret = minted("<alnum:24>")
    text = OPEN.replace('"Open"', '"adminPassword"').replace("false", f'"{secret}"')
    assert secret not in repr(answers(documents.DocumentEngine(), {"main.parameters.json": text}))


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("main.bicep", "param adminPassword string = 'SECRET'\n"),
        ("main.bicep", "@secure()\nparam code string = 'SECRET'\n"),
        ("main.bicep", "var adminPassword = 'SECRET'\n"),
        ("main.bicepparam", "using 'main.bicep'\nparam adminPassword = 'SECRET'\n"),
        ("a.json", '"adminPassword": {"type": "string", "defaultValue": "SECRET"}'),
        ("a.json", '"code": {"type": "secureString", "defaultValue": "SECRET"}'),
    ],
)
def test_a_default_that_is_a_secret_is_not_kept(path: str, text: str) -> None:
    secret = minted("<alnum:24>")
    if path == "a.json":
        text = f'{{"$schema": "{SCHEMA}", "parameters": {{{text}}}, "resources": [{{}}]}}'
    else:
        text += "resource a 'Microsoft.Storage/storageAccounts@2023-01-01' = { name: 'a' }\n"
    read = repr(answers(documents.DocumentEngine(), {path: text.replace("SECRET", secret)}))
    assert secret not in read
    assert MASKED in read
    kept = repr(answers(documents.DocumentEngine(), {path: text.replace("SECRET", "change-me")}))
    assert "change-me" in kept
