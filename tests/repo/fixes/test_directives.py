"""Directives of nginx, Apache and OpenSSH that are made safe where they stand."""

import pytest

from mergegate.core.finding import Place
from mergegate.repo.fixes.directives import change, names, read, steps_of, strays
from mergegate.repo.fixes.edits import UncertainError, spliced
from mergegate.repo.fixes.recipe import Found, recipes
from mergegate.repo.infrastructure import entries


def mended(rule: str, text: str, line: int) -> str:
    found = change(entries()[rule], text, line)
    return text[: found.start] + found.text + text[found.end :]


@pytest.mark.parametrize(
    ("rule", "line", "before", "after"),
    [
        (
            "iac-nginx-old-tls",
            2,
            "server {\n  ssl_protocols  TLSv1 ;\n}\n",
            "ssl_protocols  TLSv1.2",
        ),
        (
            "iac-nginx-version-told",
            1,
            "http { server_tokens on; }\n",
            "http { server_tokens off; }",
        ),
        (
            "iac-nginx-version-told",
            1,
            "http {\n    gzip on;\n}\n",
            "{\n    server_tokens off;\n    gzip",
        ),
        (
            "iac-nginx-listing",
            2,
            "a {\n  autoindex on; # was off;\n}\n",
            "autoindex off; # was off;",
        ),
        (
            "iac-sshd-root-login",
            2,
            "Match User root\n\tpermitrootlogin yes \nMaxAuthTries 3\n",
            "\tpermitrootlogin prohibit-password \n",
        ),
        ("iac-apache-trace", 1, "traceenable  extended  \nA b\n", "traceenable  Off  \nA b"),
        (
            "iac-apache-old-tls",
            1,
            "SSLProtocol all -SSLv3\n",
            "SSLProtocol -all +TLSv1.2 +TLSv1.3\n",
        ),
    ],
)
def test_only_the_value_changes(rule: str, line: int, before: str, after: str) -> None:
    assert after in mended(rule, before, line)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("allow_url_include = On\n", "allow_url_include = Off\n"),
        ("allow_url_include=1 ; so far\n", "allow_url_include=Off ; so far\n"),
        ("  Allow_Url_Include =  on\r\n", "  Allow_Url_Include =  Off\r\n"),
    ],
)
def test_a_setting_of_php_is_changed_where_it_stands(before: str, after: str) -> None:
    assert mended("iac-php-includes-remote", before, 1) == after


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("iac-php-includes-remote", ";allow_url_include = On\n"),
        ("iac-php-includes-remote", "allow_url_include = ${INCLUDES}\n"),
        ("iac-php-includes-remote", 'allow_url_include = "On"\n'),
        ("iac-php-includes-remote", "old.allow_url_include = On\n"),
        ("iac-nginx-listing", "autoindex off;\n"),
        ("iac-nginx-listing", "# autoindex on;\n"),
        ("iac-nginx-listing", "autoindex 'on';\n"),
        ("iac-nginx-listing", "a { autoindex on; } b { autoindex on; }\n"),
        ("iac-nginx-version-told", "http { gzip on; }\n"),
        ("iac-apache-trace", "TraceEnable \\\n"),
        ("iac-apache-trace", "# TraceEnable On\n"),
    ],
)
def test_what_is_not_sure_is_left_alone(rule: str, text: str) -> None:
    with pytest.raises(UncertainError):
        mended(rule, text, 1)


def test_line_that_is_not_there_is_left_alone() -> None:
    with pytest.raises(UncertainError):
        mended("iac-nginx-listing", "autoindex on;\n", 9)


SERVER = "server {\n  listen 80;\n  autoindex on;\n}\n"


@pytest.mark.parametrize(
    ("after", "is_stray"),
    [
        (SERVER.replace("on", "off"), False),
        (SERVER.replace("on", "off").replace("80", "81"), True),
        (SERVER.replace("on", "off").replace("}", "  root /;\n}"), True),
        (SERVER.replace("  autoindex on;\n", ""), True),
        (SERVER.replace("}", ""), True),
    ],
)
def test_nothing_changes_beside_the_directive(after: str, is_stray: bool) -> None:
    assert strays(SERVER, after, names("iac-nginx-listing")) is is_stray


def test_rules_about_something_else_name_no_directive() -> None:
    assert names("iac-openapi-twice") == names("no-such-rule") == frozenset()


def test_what_is_not_of_a_web_server_is_not_read() -> None:
    assert read("[defaults]\nhost_key_checking = no\n") is None


def denied(text: str) -> str | None:
    recipe = recipes()["iac-nginx-allow-without-deny"]
    line = text[: text.index("allow")].count("\n") + 1
    place = Place("nginx.conf", line, line)
    splices = steps_of(Found("nginx.conf", text, None, ".conf", place, recipe))
    made = spliced(text.encode(), splices) if splices else None
    return made.decode() if made else None


def test_all_others_are_denied_behind_the_last_address() -> None:
    before = "a {\n  allow 10.0.0.1;\n  # ours\n  allow 10.0.0.2; # b\n\n  root /a;\n}\n"
    after = before.replace("b\n", "b\n  deny all;\n")
    assert denied(before) == after


@pytest.mark.parametrize(
    "text",
    ["a { allow 10.0.0.1; }\n", "a {\n  allow 10.0.0.1;\n  root /a;\n  allow 10.0.0.2;\n}\n"],
)
def test_a_list_that_is_not_in_one_piece_is_left_alone(text: str) -> None:
    assert denied(text) is None
