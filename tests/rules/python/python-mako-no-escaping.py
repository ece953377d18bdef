from mako.lookup import TemplateLookup
from mako.template import Template


def page(path):
    # ruleid: python-mako-no-escaping
    first = Template(filename=path)
    # ruleid: python-mako-no-escaping
    return first, TemplateLookup(directories=["pages"])


def page_escaped(path):
    # ok: python-mako-no-escaping
    first = Template(filename=path, default_filters=["h"])
    # ok: python-mako-no-escaping
    return first, TemplateLookup(directories=["pages"], default_filters=["str", "h"])
