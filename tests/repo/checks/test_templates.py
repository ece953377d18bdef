"""What the properties of a template come to, as far as the template decides them."""

import time

import pytest

from mergegate.core.check import Failed, apply
from mergegate.repo.checks import all_checks
from mergegate.repo.checks.infrastructure.dialects.cloudformation import resources
from mergegate.repo.engines import documents
from mergegate.repo.facts.documents import Documents
from mergegate.repo.facts.resources import Dialect
from tests.repo.engines.test_terraform import said
from tests.repo.infrastructure.reading import answers, told
from tests.secrets.mint import minted

TEMPLATE = """
Parameters:
  Given: {Type: String, Default: v}
  Yes: {Type: String, Default: 'true'}
  Open: {Type: String}
  List: {Type: CommaDelimitedList, Default: 'a, b'}
  Stored: {Type: 'AWS::SSM::Parameter::Value<String>', Default: /path}
Mappings:
  Sizes: {small: {disk: 10}}
Conditions:
  IsOn: !Equals [!Ref Yes, 'true']
  IsOff: !Not [!Condition IsOn]
  Both: !And [!Condition IsOn, !Condition IsOff]
  Unclear: !Equals [!Ref Open, x]
  Either: !Or [!Condition Unclear, !Condition IsOn]
  Loop: !Not [!Condition Loop]
Resources:
  Other: {Type: AWS::S3::Bucket}
  Tested:
    Type: AWS::Example
    Properties:
      X: VALUE
"""


def value(text: str) -> object:
    files = {"t.yaml": TEMPLATE.replace("VALUE", text)}
    read = documents.fact(answers(documents.DocumentEngine(), files))
    [one] = [one for one in resources(read) if one.address == "Tested"]
    assert (one.dialect, one.kind, one.path) == (
        Dialect.CLOUDFORMATION, "AWS::Example", "t.yaml",
    )  # fmt: skip
    return said(one.properties["X"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "plain"),
        ("!Ref Given", "v"),
        ("{Ref: Given}", "v"),
        ("!Ref Open", None),
        ("!Ref Stored", None),
        ("!Ref Nowhere", None),
        ("!Ref List", ["a", "b"]),
        ("!Ref Other", "<Other>"),
        ("!Ref 'AWS::Region'", None),
        ("!GetAtt Other.Arn", "<Other>"),
        ("{'Fn::GetAtt': [Other, Arn]}", "<Other>"),
        ("!Sub 'a-${Given}-${!Kept}'", "a-v-${Kept}"),
        ("!Sub '${Other.Arn}'", "<Other>"),
        ("!Sub 'a-${Open}'", None),
        ("!Sub ['${A}-${Given}', {A: !Ref Given}]", "v-v"),
        ("!If [IsOn, 'yes', 'no']", "yes"),
        ("!If [IsOff, 'yes', 'no']", "no"),
        ("!If [Both, 'yes', 'no']", "no"),
        ("!If [Either, 'yes', 'no']", "yes"),
        ("!If [Unclear, 'yes', 'no']", None),
        ("!If [Loop, 'yes', 'no']", None),
        ("!If [IsOff, 'yes', !Ref 'AWS::NoValue']", ""),
        ("[!If [IsOff, a, !Ref 'AWS::NoValue'], b]", ["b"]),
        ("!Join ['-', [a, !Ref Given]]", "a-v"),
        ("!Join ['-', [a, !Ref Open]]", None),
        ("!FindInMap [Sizes, small, disk]", "10"),
        ("!FindInMap [Sizes, !Ref Open, disk]", None),
        ("!ImportValue other", None),
        ("{a: {b: !Ref Given}}", {"a": {"b": "v"}}),
    ],
)
def test_value_comes_to_what_cloudformation_makes_of_it(text: str, expected: object) -> None:
    assert value(text) == expected


def test_what_a_parameter_decides_is_told_by_its_default_alone() -> None:
    template = """
Parameters:
  Public: {Type: String, Default: 'true'}
  Open: {Type: String}
Resources:
  A: {Type: AWS::RDS::DBInstance, Properties: {PubliclyAccessible: !Ref Public}}
  B: {Type: AWS::RDS::DBInstance, Properties: {PubliclyAccessible: !Ref Open}}
"""
    rule = "iac-cloudformation-public-database"
    found = [one.message for one in told({"t.yaml": template}) if one.rule_id == rule]
    assert ["(A)" in one for one in found] == [True]


def test_template_in_json_is_read_like_yaml() -> None:
    text = """{
\t"AWSTemplateFormatVersion": "2010-09-09", "Description": "smile \\ud83d\\ude00",
\t"Resources": {"Db": {"Type": "AWS::RDS::DBInstance", "Properties": {
\t\t"PubliclyAccessible": true, "StorageEncrypted": {"Ref": "Choice"}}}}
}"""
    found = [(one.rule_id, one.place.start_line) for one in told({"template.json": text})]
    assert ("iac-cloudformation-public-database", 4) in found


def test_hostile_template_takes_little_time() -> None:
    nested = "!Join ['-', [" * 20 + "a" + "]]" * 20
    many = "".join(f"  C{n}: !Or [!Condition C{n + 1}, !Condition C{n + 2}]\n" for n in range(500))
    text = f"Conditions:\n{many}Resources:\n" + "".join(
        f"  R{n}: {{Type: AWS::A, Properties: {{X: {nested}, Y: !If [C0, a, b]}}}}\n"
        for n in range(500)
    )
    read = documents.fact(answers(documents.DocumentEngine(), {"t.yaml": text}))
    started = time.process_time()
    assert len(list(resources(read))) == 500
    assert time.process_time() - started < 5


def made(text: str) -> dict[str, object]:
    read = documents.fact(answers(documents.DocumentEngine(), {"t.yaml": text}))
    return {one.address: said(one.properties) for one in resources(read)}


def test_globals_hold_for_every_resource_of_their_kind() -> None:
    template = """
Transform: AWS::Serverless-2016-10-31
Globals:
  Function: {Runtime: nodejs20.x, Layers: [a], Environment: {Variables: {A: x, B: x}}}
Resources:
  One: {Type: AWS::Serverless::Function, Properties: {Handler: a.b}}
  Two:
    Type: AWS::Serverless::Function
    Properties: {Runtime: python3.13, Layers: [b], Environment: {Variables: {B: y}}}
  Other: {Type: AWS::Lambda::Function, Properties: {Handler: a.b}}
"""
    shared = {"Runtime": "nodejs20.x", "Layers": ["a"]}
    variables = {"Environment": {"Variables": {"A": "x", "B": "x"}}}
    own = {"Runtime": "python3.13", "Layers": ["a", "b"]}
    assert made(template) == {
        "One": {**shared, **variables, "Handler": "a.b"},
        "Two": {**own, "Environment": {"Variables": {"A": "x", "B": "y"}}},
        "Other": {"Handler": "a.b"},
    }


def test_loops_are_written_out() -> None:
    template = """
AWSTemplateFormatVersion: '2010-09-09'
Transform: AWS::LanguageExtensions
Parameters:
  Stages: {Type: CommaDelimitedList, Default: 'test, live'}
Resources:
  'Fn::ForEach::Buckets':
  - Name
  - [Raw, Clean]
  - 'Fn::ForEach::Stages':
    - Stage
    - !Ref Stages
    - '${Name}${Stage}':
        Type: AWS::S3::Bucket
        Properties: {BucketName: !Ref Name, Tags: ['${Stage}']}
"""
    assert made(template) == {
        f"{name}{stage}": {"BucketName": name, "Tags": [stage]}
        for name in ("Raw", "Clean")
        for stage in ("test", "live")
    }


def test_loops_within_loops_make_no_more_than_one_may() -> None:
    many = ", ".join(map(str, range(100)))
    inner = "'a${A}b${B}c${C}': {Type: AWS::S3::Bucket}"
    for name in "CBA":
        inner = f"'Fn::ForEach::{name}': [{name}, [{many}], {{{inner}}}]"
    assert len(made(f"AWSTemplateFormatVersion: 1\nResources: {{{inner}}}\n")) <= 200


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("!Select [1, !Ref List]", "b"),
        ("!Select ['0', [a, b]]", "a"),
        ("!Select [1, !Split [',', 'a,b']]", "b"),
        ("!Split [',', !Ref Given]", ["v"]),
        ("!Base64 text", "text"),
    ],
)
def test_lists_are_taken_apart(text: str, told: object) -> None:
    assert value(text) == told


def test_secrets_are_told_wherever_they_stand() -> None:
    one, two = minted("a<alnum:16>", 1), minted("a<alnum:16>", 2)
    template = f"""
Transform: AWS::Serverless-2016-10-31
Globals:
  Function: {{Environment: {{Variables: {{MAIL_PASSWORD: {one}}}}}}}
Resources:
  Custom: {{Type: 'Custom::A', Properties: {{ServiceToken: named-elsewhere}}}}
  Task:
    Type: AWS::ECS::TaskDefinition
    Properties:
      ContainerDefinitions:
      - Environment:
        - {{Name: DB_PASSWORD, Value: {two}}}
        - {{Name: LONG, Value: {minted("<alnum:60>")}}}
        - {{Name: NPM_TOKEN, Type: SECRETS_MANAGER, Value: 'npm:token'}}
        - {{Name: ROLE_CREDENTIALS, Value: 'arn:aws:iam::123456789012:role/a'}}
"""
    read = documents.fact(answers(documents.DocumentEngine(), {"t.yaml": template}))
    check = next(one for one in all_checks() if one.id == "iac-cloudformation-secret-in-template")
    outcome = apply(check, {Documents: read})
    assert isinstance(outcome, Failed)
    assert [
        (one.place.start_line, one.message.partition(" is ")[0]) for one in outcome.findings
    ] == [
        (12, "DB_PASSWORD of Task"),
        (4, "MAIL_PASSWORD of Function"),
    ]


@pytest.mark.parametrize(
    ("value", "lines"),
    [
        ("!If [Large, true, true]", [10]),
        ("!If [Large, true, !If [Small, true, false]]", [10]),
        ("!If [Large, true, !If [Small, false, true]]", []),
        ("!If [Large, true, false]", []),
        ("!If [Large, false, true]", []),
        ("!If [Large, !Ref AWS::NoValue, true]", []),
        ("!If [Always, true, false]", [10]),
    ],
)
def test_what_is_unsafe_however_a_condition_is_decided_is_told(
    value: str, lines: list[int]
) -> None:
    template = f"""Parameters: {{Size: {{Type: String}}}}
Conditions:
  Large: !Equals [!Ref Size, large]
  Small: !Not [!Condition Large]
  Always: !Equals [a, a]
Resources:
  Main:
    Type: AWS::RDS::DBInstance
    Properties:
      PubliclyAccessible: {value}
"""
    found = told({"t.yaml": template})
    rule = "iac-cloudformation-public-database"
    assert [one.place.start_line for one in found if one.rule_id == rule] == lines


def test_rules_of_either_case_are_told_beside_those_of_all() -> None:
    rule = "{IpProtocol: tcp, FromPort: PORT, ToPort: PORT, CidrIp: 0.0.0.0/0}"
    template = f"""Parameters: {{Size: {{Type: String}}}}
Conditions: {{Large: !Equals [!Ref Size, large]}}
Resources:
  Main:
    Type: AWS::EC2::SecurityGroup
    Properties:
      GroupDescription: a
      SecurityGroupIngress:
      - {rule.replace("PORT", "22")}
      - !If
        - Large
        - {rule.replace("PORT", "3389")}
        - {rule.replace("PORT", "22")}
"""
    found = told({"t.yaml": template})
    assert [
        one.place.start_line
        for one in found
        if one.rule_id == "iac-cloudformation-open-security-group"
    ] == [9, 12]


@pytest.mark.parametrize(
    "value",
    [
        "!If [Large, ONE, TWO]",
        "{'Fn::If': [Large, ONE, TWO]}",
        "!If [Large, !If [Small, ONE, TWO], !Ref Given]",
        "!Sub ONE",
    ],
)
def test_a_secret_in_a_choice_is_not_kept_and_told(value: str) -> None:
    one, two = minted("a<alnum:20>", 1), minted("a<alnum:20>", 2)
    template = f"""AWSTemplateFormatVersion: 2010-09-09
Parameters: {{Size: {{Type: String}}, Given: {{Type: String}}}}
Conditions: {{Large: !Equals [!Ref Size, a], Small: !Equals [!Ref Size, b]}}
Resources:
  Main:
    Type: AWS::RDS::DBInstance
    Properties:
      MasterUserPassword: {value.replace("ONE", one).replace("TWO", two)}
"""
    read = documents.fact(answers(documents.DocumentEngine(), {"t.yaml": template}))
    assert one not in repr(read)
    assert two not in repr(read)
    check = next(one for one in all_checks() if one.id == "iac-cloudformation-secret-in-template")
    outcome = apply(check, {Documents: read})
    assert isinstance(outcome, Failed)
    assert {one.place.start_line for one in outcome.findings} == {8}


_LOGS = "arn:aws:logs:eu-west-1:123456789012:log-group:a"


@pytest.mark.parametrize(
    ("described", "expected"),
    [
        ("", {"without-access-log"}),
        (f"AccessLogSetting: {{DestinationArn: '{_LOGS}'}}", set()),
        ("CachingEnabled: true", {"without-access-log", "cache-unencrypted"}),
        ("CachingEnabled: true, CacheDataEncrypted: true", {"without-access-log"}),
        ("DataTraceEnabled: true", {"without-access-log", "logs-whole-requests"}),
        ("MethodSettings: [{CachingEnabled: true}]", {"without-access-log", "cache-unencrypted"}),
        ("'Fn::If': [A, {}, {}]", set()),
    ],
)
def test_stage_that_a_deployment_makes_is_judged_as_a_stage(
    described: str, expected: set[str]
) -> None:
    template = f"""
Resources:
  Made:
    Type: AWS::ApiGateway::Deployment
    Properties: {{RestApiId: !Ref Api, StageName: live, StageDescription: {{{described}}}}}
  Left:
    Type: AWS::ApiGateway::Deployment
    Properties: {{RestApiId: !Ref Api}}
"""
    asked = ("without-access-log", "cache-unencrypted", "logs-whole-requests")
    found = [one for one in told({"t.yaml": template}) if one.rule_id.endswith(asked)]
    assert {one.rule_id.removeprefix("aws-api-") for one in found} == expected
    assert all("(Made)" in one.message for one in found)


def test_default_of_a_hidden_parameter_is_a_secret_whatever_its_name() -> None:
    word = minted("<alnum:24>")
    template = f"""
Parameters:
  Pw: {{Type: String, NoEcho: true, Default: {word}}}
  DatabaseUser: {{Type: String, NoEcho: true, Default: {word}}}
  Seen: {{Type: String, Default: {word}}}
Resources:
  Shop: {{Type: AWS::Redshift::Cluster, Properties: {{MasterUserPassword: !Ref Pw}}}}
"""
    read = documents.fact(answers(documents.DocumentEngine(), {"t.yaml": template}))
    check = next(one for one in all_checks() if one.id == "iac-cloudformation-secret-in-template")
    outcome = apply(check, {Documents: read})
    assert isinstance(outcome, Failed)
    assert [(one.place.start_line, word in one.message) for one in outcome.findings] == [(3, False)]
