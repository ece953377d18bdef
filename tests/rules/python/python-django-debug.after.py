ROOT_URLCONF = "site.urls"

# ruleid: python-django-debug
DEBUG = True
TEMPLATE_DEBUG = DEBUG
