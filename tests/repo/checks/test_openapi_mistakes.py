"""Where descriptions of interfaces contradict OpenAPI or themselves, reason by reason."""

import pytest

from mergegate.core.tree import Role
from mergegate.repo.checks.infrastructure.dialects.openapi_mistakes import resources
from mergegate.repo.engines.documents.nodes import parse
from mergegate.repo.facts.documents import DocumentFile, FileDocuments

INFO = "info: {title: a, version: '1'}\n"
GET = "paths: {/a: {get: {responses: {'200': {description: b, content: {}}}, %s}}}\n"
SCHEMA = "paths: {}\ncomponents: {schemas: {A: %s}}\n"


def reasons(text: str, version: str = "openapi: 3.0.3") -> frozenset[str]:
    """Each reason with its matter, without those that every small description has."""
    [root] = parse(f"{version}\n{INFO}{text}").roots
    file = DocumentFile("openapi.yaml", Role.SOURCE, FileDocuments(), "")
    told = [one.properties for one in resources(file, root)]
    said = {f"{one['matter'].text}: {one['reason'].text}" for one in told}
    return frozenset(one for one in said if not one.startswith(("answers: no answer", "unbounded")))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (GET % "sumary: c", "unknown: Operation has no field sumary"),
        ("components: {}\n", "missing: Document without paths"),
        (GET % "parameters: [{in: query, schema: {}}]", "missing: Parameter without name"),
        (GET % "parameters: [{name: c, in: query}]", "missing: Parameter without schema"),
        ("paths: {/a: {get: {responses: {}}}}\n", "missing: operation without an answer"),
        ("paths: {/a: {}}\n", "missing: path without an operation"),
        (GET % "deprecated: maybe", "value: deprecated of Operation is no flag"),
        (GET % "parameters: {}", "value: parameters of Operation is no list"),
        ("paths: {a: {get: {}}}\n", "value: path that does not begin with a slash"),
        (SCHEMA % "{type: integer, format: float}", "value: format of another type than integer"),
        (SCHEMA % "{enum: []}", "value: enum without a value"),
        (SCHEMA % "{$ref: '#/components/schemas/B'}", "broken: Schema that is described nowhere"),
        (
            GET % "parameters: [{$ref: '#/components/schemas/B'}]"
            + "components: {schemas: {B: {type: string}}}\n",
            "broken: Parameter that is one of schemas",
        ),
        (
            "servers: [{url: 'https://{a}.b'}]\npaths: {}\n",
            "broken: variable of a server that is not described",
        ),
        (
            "servers: [{url: 'https://b', variables: {a: {default: c}}}]\npaths: {}\n",
            "unused: variable of a server that its address has not",
        ),
        (
            GET % "requestBody: {content: {multipart/form-data: {schema: {properties: {c: {}}},"
            " encoding: {d: {}}}}}",
            "broken: encoding of a property that there is not",
        ),
        (
            "paths: {/a: {get: {operationId: b}, put: {operationId: b}}}\n",
            "twice: operationId of several operations",
        ),
        ("paths: {'/{a}': {}, '/{b}': {}}\n", "twice: paths that differ in a name alone"),
        (
            GET
            % "parameters: [{name: A, in: header, schema: {}}, {name: a, in: header, schema: {}}]",
            "twice: parameter of one name and place",
        ),
        ("paths: {'/{}': {get: {}}}\n", "path: part in braces without a name"),
        (
            GET % "parameters: [{name: c, in: path, required: true, schema: {}}]",
            "path: parameter that its path has not",
        ),
        (
            "paths: {/a: {get: {responses: {'404': {}}}}}\n",
            "answers: get without an answer of success",
        ),
        (
            "paths: {/a: {get: {responses: {'204': {description: b, content: {a/b: {}}}}}}}\n",
            "contradiction: content of an answer that has none",
        ),
        (
            SCHEMA % "{minLength: 3, maxLength: 2}",
            "contradiction: maxLength that is less than minLength",
        ),
        (SCHEMA % "{type: string, minimum: 3}", "contradiction: minimum of a string"),
        (
            SCHEMA % "{type: boolean, default: 3}",
            "contradiction: default that is not of the type boolean",
        ),
        (
            SCHEMA % "{readOnly: true, writeOnly: true}",
            "contradiction: readOnly and writeOnly at once",
        ),
        (
            SCHEMA % "{properties: {b: {default: c}}, required: [b]}",
            "contradiction: default of a required property",
        ),
        (
            SCHEMA % "{properties: {b: {}}, discriminator: {propertyName: c}}",
            "contradiction: discriminator that is none of the properties",
        ),
        (
            SCHEMA % "{properties: {b: {$ref: '#/components/schemas/A'}}, required: [b]}",
            "contradiction: schema that needs itself",
        ),
        (
            GET % "parameters: [{name: c, in: path, style: form, required: true, schema: {}}]",
            "contradiction: style form in a path",
        ),
        (
            GET % "parameters: [{name: Accept, in: header, schema: {}}]",
            "ignored: parameter for the header Accept",
        ),
        (
            GET % "parameters: [{name: c, in: header, allowEmptyValue: true, schema: {}}]",
            "ignored: allowEmptyValue beyond a query",
        ),
        (
            GET % "requestBody: {content: {a/b: {schema: {}, encoding: {}}}}",
            "ignored: encoding of a body that is no form",
        ),
        (
            GET % "parameters: [{name: next_url, in: query, schema: {}}]",
            "address: address in a parameter",
        ),
        (
            GET % "parameters: [{name: userId, in: query, schema: {type: integer}}]",
            "number: number as an id",
        ),
    ],
)
def test_mistake_is_told(text: str, reason: str) -> None:
    assert reason in reasons(text)


@pytest.mark.parametrize(
    ("version", "text"),
    [
        ("openapi: 3.0.3", GET % "x-mine: c"),
        (
            "openapi: 3.0.3",
            GET % "parameters: [{name: c, in: query, example: {d: 1, e: f},"
            " schema: {type: object, properties: {d: {not: {}}}}}]",
        ),
        ("openapi: 3.0.3", SCHEMA % "{type: string, nullable: true, default: null}"),
        ("openapi: 3.0.3", SCHEMA % "{$ref: 'other.yaml#/B'}"),
        ("openapi: 3.0.3", SCHEMA % "{required: [b], allOf: [{properties: {b: {type: string}}}]}"),
        ("openapi: 3.0.3", SCHEMA % "{type: object, required: [b], additionalProperties: true}"),
        (
            "openapi: 3.0.3",
            SCHEMA % "{properties: {$ref: {type: string}, required: {type: boolean}}}",
        ),
        (
            "openapi: 3.1.0",
            "webhooks: {a: {post: {responses: {2XX: {description: b, content: {}}}}}}\n",
        ),
        ("openapi: 3.1.0", SCHEMA % "{type: [string, 'null'], const: a, if: {minLength: 2}}"),
        ("swagger: '2.0'", "host: a.example:80\nbasePath: /v1\nschemes: [https]\npaths: {}\n"),
    ],
)
def test_what_the_specification_allows_is_not(version: str, text: str) -> None:
    assert reasons(text, version) <= {"missing: no path"}


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        (
            "[{name: b, in: body, schema: {}}, {name: c, in: body, schema: {}}]",
            "twice: several bodies",
        ),
        (
            "[{name: b, in: body, schema: {}}, {name: c, in: formData, type: string}]",
            "contradiction: body beside a form",
        ),
        ("[{name: b, in: query, type: file}]", "contradiction: file outside a form"),
        (
            "[{name: b, in: formData, type: file}]",
            "contradiction: file without a form that is consumed",
        ),
        ("[{name: b, in: query, schema: {}}]", "contradiction: schema beyond a body"),
        (
            "[{name: b, in: header, type: array, items: {type: string}, collectionFormat: multi}]",
            "contradiction: collectionFormat multi beyond a query or form",
        ),
    ],
)
def test_parameters_of_version_2_have_rules_of_their_own(parameters: str, reason: str) -> None:
    assert reason in reasons(GET % f"parameters: {parameters}", "swagger: '2.0'")


def test_schemas_that_extend_one_another_without_end_are_left() -> None:
    every = ", ".join(
        f"S{one}: {{required: [a], allOf: [{{$ref: '#/components/schemas/S{(one + step) % 9}'}}"
        f" , {{$ref: '#/components/schemas/S{(one + 2 * step) % 9}'}}]}}"
        for one, step in ((one, one + 1) for one in range(9))
    )
    told = reasons(f"paths: {{}}\ncomponents: {{schemas: {{{every}}}}}\n")
    assert told == {"contradiction: required property that is not described"}
