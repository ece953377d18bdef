import jinja2


def html_pages():
    # ruleid: python-jinja2-autoescape-off
    return jinja2.Environment(loader=jinja2.FileSystemLoader("pages"), autoescape=False)


def mails(loader):
    # ruleid: python-jinja2-autoescape-off
    return jinja2.Environment(autoescape=False, loader=loader)


def escaped(loader):
    # ok: python-jinja2-autoescape-off
    first = jinja2.Environment(loader=loader, autoescape=True)
    # ok: python-jinja2-autoescape-off
    second = jinja2.Environment(loader=loader, autoescape=jinja2.select_autoescape())
    return first, second
