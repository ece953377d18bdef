from django.utils.html import escape, format_html
from django.utils.safestring import mark_safe
from markupsafe import Markup


def badge(user):
    # ruleid: python-mark-safe-formatted
    first = mark_safe(f"<b>{user.name}</b>")
    # ruleid: python-mark-safe-formatted
    second = Markup("<i>%s</i>" % user.title)
    # ruleid: python-mark-safe-formatted
    return first + second + mark_safe("<b>" + user.name + "</b>")


def badge_safely(user):
    # ok: python-mark-safe-formatted
    first = format_html("<b>{}</b>", user.name)
    # ok: python-mark-safe-formatted
    second = Markup("<i>{}</i>").format(user.title)
    # ok: python-mark-safe-formatted
    third = mark_safe(f"<b>{escape(user.name)}</b>")
    # ok: python-mark-safe-formatted
    fourth = mark_safe(f"<b>{third}</b>")
    # ok: python-mark-safe-formatted
    return first + second + third + fourth + mark_safe("<hr>")
