"""Libraries by address and by content, and what is known against their versions."""

import re

import pytest

from mergegate.core.severity import Severity
from mergegate.site.security.gather.libraries import (
    SHAPE,
    _libraries,
    at_or_above,
    by_address,
    in_text,
    is_between,
    used,
)
from tests.site.security.gather.reduction import bounded, needs, reduced


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://code.jquery.com/jquery-1.8.3.min.js", ("jquery", "1.8.3", "file name")),
        ("https://code.jquery.com/jquery-3.0.0-beta1.js", ("jquery", "3.0.0-beta1", "file name")),
        (
            "https://ajax.googleapis.com/ajax/libs/jquery/1.12.4/jquery.min.js",
            ("jquery", "1.12.4", "url"),
        ),
        (
            "https://cdn.jsdelivr.net/npm/jquery@3.4.1/dist/jquery.min.js",
            ("jquery", "3.4.1", "url"),
        ),
        ("https://cdn.jsdelivr.net/npm/vue@2.6.10", ("vue", "2.6.10", "url")),
        ("https://unpkg.com/react-dom@16.3.0/umd/react-dom.js", ("react-dom", "16.3.0", "url")),
        (
            "https://cdnjs.cloudflare.com/ajax/libs/lodash.js/4.17.4/lodash.min.js",
            ("lodash", "4.17.4", "url"),
        ),
        (
            "https://maxcdn.bootstrapcdn.com/bootstrap/3.3.5/js/bootstrap.min.js",
            ("bootstrap", "3.3.5", "url"),
        ),
        ("https://example.org/js/bootstrap-3.3.5.min.js", ("bootstrap", "3.3.5", "file name")),
        (
            "https://cdnjs.cloudflare.com/ajax/libs/highlight.js/9.12.0/highlight.min.js",
            ("highlight.js", "9.12.0", "url"),
        ),
        ("https://unpkg.com/swagger-ui-dist@3.20.0/x.js", ("swagger-ui", "3.20.0", "url")),
        # a digest is no version
        ("https://example.org/assets/jquery-4f3a9b2c.min.js", None),
        ("https://example.org/assets/jquery-20240101.min.js", None),
        ("https://example.org/jquery-3.5.1e4f9a.min.js", None),
        ("https://example.org/8447abc/jquery.min.js", None),
        ("https://example.org/1638472625.123/jquery.min.js", None),
        ("https://example.org/jquery.min.js?ver=1.8.3", None),
        # another script of that name
        ("https://example.org/static/2.1.0/bootstrap.js", None),
        ("https://example.org/app/1.0.0/prototype.js", None),
        ("https://example.org/my-jquery-3.4.1.plugin.js", None),
        ("https://jquery-1.8.3.min.js.example.org/", None),
        ("not an address", None),
        ("https://[/jquery-1.8.3.min.js", None),
    ],
)
def test_an_address_names_a_library(url: str, expected: tuple[str, str, str] | None) -> None:
    found = by_address(url)
    assert (found and (*found[0], found[1])) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/*! jQuery v3.4.1 | (c) JS Foundation */", ("jquery", "3.4.1")),
        ("/*!\n * jQuery JavaScript Library v1.12.4\n", ("jquery", "1.12.4")),
        ("/*! jQuery UI - v1.12.1 - 2016-09-14", ("jquery-ui", "1.12.1")),
        ("/*!\n  * Bootstrap v4.0.0 (https://getbootstrap.com)", ("bootstrap", "4.0.0")),
        ("/*\n AngularJS v1.7.8\n (c) 2010-2018 Google, Inc.", ("angularjs", "1.7.8")),
        ("//! moment.js\n//! version : 2.24.0\n", ("moment.js", "2.24.0")),
        ("/*! @license DOMPurify 2.0.7 | (c) Cure53", ("DOMPurify", "2.0.7")),
        ("/* axios v0.21.0 | (c) 2020 by Matt Zabriskie */", ("axios", "0.21.0")),
        ("/*!\n * Vue.js v2.6.10\n * (c) 2014-2019", ("vue", "2.6.10")),
        ("/** @license React v16.3.2\n * react-dom.production", ("react-dom", "16.3.2")),
        ("//     Underscore.js 1.9.1\n", ("underscore.js", "1.9.1")),
        ('name="mustache.js";t.version="2.3.0"', ("mustache.js", "2.3.0")),
        ("/*!\n\n handlebars v4.0.11\n", ("handlebars", "4.0.11")),
        ("/*  Prototype JavaScript framework, version 1.7.1\n", ("prototypejs", "1.7.1")),
        ("/**\n * TinyMCE version 6.3.1 (2022-12-06)", ("tinyMCE", "6.3.1")),
        ('window.CKEDITOR=function(){var a={timestamp:"K8R1",version:"4.16.0"',
         ("ckeditor", "4.16.0")),
        ("/*! Select2 4.0.5 | https://github.com", ("select2", "4.0.5")),
        ("/*! DataTables 1.10.20\n", ("jquery.datatables", "1.10.20")),
        ("/*!\n * Knockout JavaScript library v3.4.2\n", ("knockout", "3.4.2")),
        ("//     Backbone.js 1.1.2\n", ("backbone.js", "1.1.2")),
        ("var pdfjsVersion = '2.3.200';", ("pdf.js", "2.3.200")),
        ("/*! highlight.js v9.12.0 | BSD3 License", ("highlight.js", "9.12.0")),
        ("/*!\n  Highlight.js v11.9.0 (git: f47103d4f1)\n", ("highlight.js", "11.9.0")),
        ("/**\n * marked v4.0.9 - a markdown parser\n", ("marked", "4.0.9")),
        ("/**\n * @license\n * Video.js 7.10.2 <http://videojs.com/>", ("video.js", "7.10.2")),
        # near-misses
        ("/*! jQuery v3f9a2c1 */", None),
        ("/*! jQuery v20240101 */", None),
        ("needs jQuery 1.8.3 or newer", None),
        ("// tested with Bootstrap v", None),
    ],
)  # fmt: skip
def test_content_names_a_library(text: str, expected: tuple[str, str] | None) -> None:
    assert list(in_text(text)) == ([expected] if expected else [])


@pytest.mark.parametrize(
    ("name", "version", "ids"),
    [
        ("jquery", "3.7.1", set()),
        ("jquery", "3.5.0", set()),
        ("jquery", "3.4.1", {"CVE-2020-11022", "CVE-2020-11023"}),
        ("lodash", "4.17.23", set()),
        ("bootstrap", "5.3.3", set()),
        ("marked", "4.0.9", {"CVE-2022-21680", "CVE-2022-21681"}),
        ("marked", "4.0.10", set()),
        ("highlight.js", "9.18.5", {"GHSA-7wwv-vh3v-89cq"}),
        ("highlight.js", "10.4.1", set()),
        ("video.js", "7.14.2", {"CVE-2021-23414"}),
        ("no such library", "1.0.0", set()),
    ],
)
def test_what_is_known_against_a_version(name: str, version: str, ids: set[str]) -> None:
    library = used((name, version), "https://example.org/a.js", "content")
    assert {one.ids[0] for one in library.advisories} == ids


def test_the_worst_is_told_first() -> None:
    library = used(("lodash", "4.17.4"), "https://example.org/a.js", "url")
    severities = [one.severity for one in library.advisories]
    assert severities == sorted(severities, reverse=True)
    assert severities[0] >= Severity.HIGH


@pytest.mark.parametrize(
    ("version", "bound", "is_newer"),
    [
        ("1.9.0", "1.9.0", True),
        ("1.10.0", "1.9.0", True),
        ("1.9", "1.9.0", True),
        ("1.9.0-rc.1", "1.9.0", False),
        ("1.9.0", "1.9.0-rc.1", True),
        ("1.9.0b1", "1.9.0", False),
        ("2.0.0", "10.0.0", False),
        ("3.0.0-rc.2", "3.0.0-rc.1", True),
        ("3.0.0-alpha", "3.0.0-beta", False),
    ],
)
def test_versions_are_compared_by_their_numbers(version: str, bound: str, is_newer: bool) -> None:
    assert at_or_above(version, bound) is is_newer
    assert is_between(version, "", bound) is not is_newer


@pytest.mark.parametrize("text", ["1.2", "1.12.4", "3.0.0-rc.1", "1.9.0b1", "4.0.0-alpha.6"])
def test_this_is_a_version(text: str) -> None:
    assert re.fullmatch(SHAPE, text)


@pytest.mark.parametrize("text", ["1", "8447", "4f3a9b2c", "20240101", "1.2x", "1.", ""])
def test_this_is_none(text: str) -> None:
    assert not re.fullmatch(SHAPE, text)


def test_the_data_is_whole() -> None:
    libraries = _libraries()
    assert len(libraries) == 62
    assert sum(len(one.advisories) for one in libraries) == 461
    for library in libraries:
        for one in library.advisories:
            assert one.below and one.advisory.summary
            assert one.advisory.reference.startswith("https://") or not one.advisory.reference


def test_what_a_pattern_needs_stands_in_every_match() -> None:
    patterns = [one for library in _libraries() for one in library.content]
    assert len(patterns) > 150
    for needed, pattern in patterns:
        assert needs(pattern.pattern) == needed


def test_the_reduction_leaves_out_what_is_merely_unmaintained() -> None:
    advisory = {"below": "2", "severity": "low", "identifiers": {}, "info": []}
    entry = {"vulnerabilities": [{**advisory, "cwe": ["CWE-1104"]}], "extractors": {}}
    kept = {"vulnerabilities": [{**advisory, "cwe": ["CWE-79"]}], "extractors": {}}
    assert [one["name"] for one in reduced({"old": entry, "b": kept})] == ["b"]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"/\*+![\s*]+x", r"/\*{1,60}![\s*]{1,60}x"),
        (r"(.*\n)*.+", r"(.{0,500}\n){0,60}.{1,500}"),
        (r"[\s\S]*?a", r"[\s\S]{0,2000}?a"),
        (r"[+*]a\+", r"[+*]a\+"),
        (r"a{1,3}", r"a{1,3}"),
    ],
)
def test_every_repetition_has_an_end(pattern: str, expected: str) -> None:
    assert bounded(pattern) == expected
