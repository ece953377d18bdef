"""What the properties of a template come to, as far as the template decides them."""

import time

import pytest

from mergegate.repo.checks.infrastructure.dialects.cloudformation import resources
from mergegate.repo.engines import documents
from mergegate.repo.facts.resources import Dialect
from tests.repo.engines.test_terraform import said
from tests.repo.infrastructure.reading import answers, told

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
