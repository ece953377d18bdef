import aiohttp_jinja2
import jinja2
from flask import Flask

app = Flask(__name__)
# ruleid: python-template-autoescape-off
app.jinja_env.autoescape = False

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        # ruleid: python-template-autoescape-off
        "OPTIONS": {"autoescape": False},
    }
]


def create_page_app(site, loader):
    # ruleid: python-template-autoescape-off
    aiohttp_jinja2.setup(site, loader=loader, autoescape=False)


def create_safe_app(site, loader):
    # ok: python-template-autoescape-off
    site.jinja_env.autoescape = True
    # ok: python-template-autoescape-off
    aiohttp_jinja2.setup(site, loader=loader)
    # ok: python-template-autoescape-off
    return jinja2.Environment(loader=loader, autoescape=False)  # of mail in plain text
