"""Settings of Bicep are made safe where they stand, and put in where they are missing."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from mergegate.core.finding import Place
from mergegate.core.tree import SourceFile
from mergegate.repo.fixes import bicep
from mergegate.repo.fixes.edits import spliced
from mergegate.repo.fixes.recipe import Found, Recipe
from mergegate.repo.fixes.settings import recipe_of
from tests.repo.conftest import finding

SITE = "resource a 'Microsoft.Web/sites@2023-01-01' = {\n"
BODY = "  properties: {\n    httpsOnly: false\n  }\n}\n"
TLS = "terraform-azure-outdated-tls"
HTTPS = "azure-web-app-plain-http"


def mended(text: str, line: int, rule: str = HTTPS) -> str | None:
    path = "a.bicep"
    file = SourceFile(path=path, location=Path(path), size=1, digest="0", language=None)
    recipe = recipe_of(finding(line, path=path, rule=rule), file, text)
    if recipe is None or recipe.by is None:
        return None
    found = Found(path, text, None, ".bicep", Place(path, line, line), recipe)
    return (spliced(text.encode(), recipe.by(found)) or b"").decode()


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        (SITE + BODY, 3, SITE + BODY.replace("false", "true")),
        (
            SITE + BODY.replace("false", "false // so far"),
            3,
            SITE + BODY.replace("false", "true // so far"),
        ),
        (
            (SITE + BODY).replace("\n", "\r\n"),
            3,
            (SITE + BODY).replace("false", "true").replace("\n", "\r\n"),
        ),
        (
            f"{SITE}  properties: {{\n    // empty so far\n  }}\n}}\n",
            1,
            f"{SITE}  properties: {{\n    // empty so far\n    httpsOnly: true\n  }}\n}}\n",
        ),
        (
            f"{SITE}  properties: {{}}\n}}\n",
            1,
            f"{SITE}  properties: {{\n    httpsOnly: true\n  }}\n}}\n",
        ),
        (
            "@description('''\n{ httpsOnly: false }\n''')\n" + SITE.replace("{", "if (b) {") + BODY,
            6,
            "@description('''\n{ httpsOnly: false }\n''')\n"
            + SITE.replace("{", "if (b) {")
            + BODY.replace("false", "true"),
        ),
        (
            SITE.replace("{", "[for b in c: {") + BODY.replace("}\n}", "}\n}]"),
            3,
            SITE.replace("{", "[for b in c: {")
            + BODY.replace("}\n}", "}\n}]").replace("false", "true"),
        ),
        (SITE + BODY.replace("httpsOnly", "'httpsOnly'"), 3, None),
        (SITE + BODY.replace("httpsOnly", "HTTPSOnly"), 3, None),
    ],
    ids=[
        "flag",
        "comment",
        "windows",
        "missing",
        "empty",
        "condition",
        "loop",
        "quoted",
        "letters",
    ],
)
def test_a_setting_becomes_safe(text: str, line: int, expected: str | None) -> None:
    assert mended(text, line) == (expected or text.replace("false", "true"))


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("  properties: {\n    httpsOnly: b ? true : false\n  }\n}\n", 3),
        ("  properties: {\n    httpsOnly: (false)\n  }\n}\n", 3),
        ("  properties: {\n    httpsOnly: false || b\n  }\n}\n", 3),
        ("  properties: {\n    httpsOnly: false\n      || b\n  }\n}\n", 3),
        ("  properties: {\n    httpsOnly: false\n    httpsonly: false\n  }\n}\n", 3),
        ("  properties: {\n    ...b\n  }\n}\n", 1),
        ("  properties: { a: b }\n}\n", 1),
        ("  properties: b\n}\n", 1),
        ("  properties: {\n    a: 1 }\n}\n", 1),
        ("}\n", 1),
        ("  properties: {\n    httpsOnly: false\n", 3),
    ],
    ids=[
        *("choice", "brackets", "operator", "next line", "twice", "spread", "one line"),
        *("elsewhere", "last line", "no properties", "broken"),
    ],
)
def test_what_is_no_literal_or_has_no_place_stays(said: str, line: int) -> None:
    assert mended(SITE + said, line) is None


@pytest.mark.parametrize("old", ["'TLS1_0'", "'''TLS1_0'''", "'${b}'", "'TLS1_0' // '"])
def test_a_text_changes_where_it_is_a_literal_of_one_line(old: str) -> None:
    text = "resource a 'Microsoft.Storage/storageAccounts@2023-01-01' = {\n  properties: {\n"
    text += f"    minimumTlsVersion: {old}\n  }}\n}}\n"
    expected = text.replace("TLS1_0", "TLS1_2") if old.startswith("'TLS1_0'") else None
    assert mended(text, 3, TLS) == expected


NAMED: Mapping[str, str] = {"properties.httpsOnly": "true"}


@pytest.mark.parametrize(
    ("after", "is_stray"),
    [
        (SITE + BODY.replace("false", "true"), False),
        (SITE.replace("sites", "serverfarms") + BODY, True),
        (SITE + BODY.replace("httpsOnly: false", "a: 1"), True),
        (SITE + BODY.replace("false", "true") + "param b string\n", True),
        (SITE + BODY + SITE.replace(" a ", " b ") + BODY.replace("false", "true"), True),
        (SITE + "  properties: {", True),
        (SITE + BODY, True),
    ],
    ids=["meant", "type", "name", "more", "another", "broken", "nothing"],
)
def test_nothing_but_the_setting_changes(after: str, is_stray: bool) -> None:
    assert bicep.strays(SITE + BODY, after, NAMED) == is_stray


@pytest.mark.parametrize(
    ("line", "above"),
    [
        ("param adminPassword string", "@secure()\n"),
        ("param adminPassword string = ''", "@secure()\n"),
        ("param adminPassword int", ""),
        ("var adminPassword = 'a'", ""),
    ],
)
def test_a_secret_parameter_is_decorated(line: str, above: str) -> None:
    recipe = Recipe(rule="r", does="It is mended.", set={"type": "securestring"})
    text = f"@description('a')\n{line}\n"
    found = Found("a.bicep", text, None, ".bicep", Place("a.bicep", 2, 2), recipe)
    new = spliced(text.encode(), bicep.steps_of(found))
    assert new == f"@description('a')\n{above}{line}\n".encode()
    assert bicep.strays(text, new.decode(), recipe.set) == (not above)
