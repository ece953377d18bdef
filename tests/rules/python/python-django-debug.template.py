"""Settings for {{ project_name }}, filled in for each new project."""

# ok: python-django-debug
DEBUG = True

ALLOWED_HOSTS = []
ROOT_URLCONF = "{{ project_name }}.urls"
