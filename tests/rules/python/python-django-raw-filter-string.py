def named(name):
    # ruleid: python-django-raw-filter-string
    first = Page.objects.extra(where=["name = '%s'" % name])
    # ruleid: python-django-raw-filter-string
    return first, Page.objects.all().extra(select={"rank": f"score * {name}"})


def named_well(name):
    # ok: python-django-raw-filter-string
    first = Page.objects.extra(where=["name = %s"], params=[name])
    # ok: python-django-raw-filter-string
    return first, Page.objects.filter(name=name), logger.extra(where=["x"])


def constant():
    # ok: python-django-raw-filter-string
    first = Page.objects.extra(where=["state = '%s'" % "open"])
    # ok: python-django-raw-filter-string
    second = Page.objects.extra(where=["state = '{}'".format("open")])
    # ok: python-django-raw-filter-string
    return first, second, Page.objects.extra(where=["state = " + "'open'"])
