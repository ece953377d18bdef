from django.utils.html import format_html


def link(page):
    # ruleid: python-format-html-formatted
    first = format_html(f"<a href='{page.url}'>x</a>")
    # ruleid: python-format-html-formatted
    return first + format_html("<b>%s</b>" % page.title)


def link_safely(page):
    # ok: python-format-html-formatted
    first = format_html("<a href='{}'>{}</a>", page.url, page.title)
    # ok: python-format-html-formatted
    return first + format_html("<b>" "{}</b>", page.title)
