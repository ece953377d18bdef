"""Values become variables of pages, templates and expressions."""

import pytest

from mergegate.repo.fixes import markup
from tests.repo.fixes.steps import mended

DJANGO = (
    "from django.utils.html import format_html\nfrom django.utils.safestring import mark_safe\n"
)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ('mark_safe(f"<b>{a.b}</b>")', 'format_html("<b>{}</b>", a.b)'),
        ('mark_safe("<b>%s%s</b>" % (a.b, a.c))', 'format_html("<b>{}{}</b>", a.b, a.c)'),
        ('mark_safe("<b>" + a["b"] + "</b>")', 'format_html("<b>{}</b>", a["b"])'),
        ('Markup("<b>{}</b>".format(a.b))', 'Markup("<b>{}</b>").format(a.b)'),
        ('format_html(f"<b>{a.b}</b>")', 'format_html("<b>{}</b>", a.b)'),
        ('mark_safe(f"<b>{a}</b>")', None),
        ('mark_safe(f"<b>{a.html}</b>")', None),
        ('mark_safe("<style>b{}</style><b>%s</b>" % a.b)', None),
        ('mark_safe(f"<script>a = {a.b}</script>")', None),
        ("mark_safe(f\"<b onclick='a({a.b})'></b>\")", None),
        ('mark_safe(f"<b>{a.b:>3}</b>")', None),
    ],
)
def test_markup_takes_values_apart(said: str, expected: str | None) -> None:
    made = mended(markup.formatted, "python", f"{DJANGO}x = {said}\n", said)
    assert made == (None if expected is None else f"{DJANGO}x = {expected}\n")


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ('f"<b>{a.b}</b>"', '"<b>{{ b }}</b>", b=a.b'),
        ('"<b>%s</b>" % a', '"<b>{{ a }}</b>", a=a'),
        ('"<b>" + a + "</b>", c=1', '"<b>{{ a }}</b>", c=1, a=a'),
        ('"<b>" + a + "</b>", a=1', None),
        ('f"{{{{ {a} }}}}"', None),
        ('"{{ " + a + " }}"', None),
        ("a", None),
    ],
)
def test_templates_take_variables(said: str, expected: str | None) -> None:
    text = f"from flask import render_template_string\nx = render_template_string({said})\n"
    marked = said.split(", ", maxsplit=1)[0]
    made = mended(markup.as_variables, "python", text, f"{marked})" if marked == "a" else marked)
    wanted = f"from flask import render_template_string\nx = render_template_string({expected})\n"
    assert made == (None if expected is None else wanted)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("a.xpath(f\"//b[@c='{d}']\")", 'a.xpath("//b[@c=$d]", d=d)'),
        ('a.xpath("//b[c=\'" + d.e + "\']")', 'a.xpath("//b[c=$e]", e=d.e)'),
        ('a.xpath(f"//{d}")', None),
        ("a.xpath(f\"//b[@c='x{d}']\")", None),
        ("etree.XPath(f\"//b[@c='{d}']\")", None),
        ("a.find(f\"//b[@c='{d}']\")", None),
    ],
)
def test_expressions_of_xpath_take_variables(said: str, expected: str | None) -> None:
    marked = said[said.index("(") + 1 : -1]
    made = mended(markup.xpath_variables, "python", f"x = {said}\n", marked)
    assert made == (None if expected is None else f"x = {expected}\n")
