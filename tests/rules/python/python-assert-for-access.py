def delete(request, page):
    # ruleid: python-assert-for-access
    assert request.user.is_staff
    # ruleid: python-assert-for-access
    assert request.user.has_perm("pages.delete"), "no"
    page.delete()


def delete_safely(request, page):
    if not request.user.has_perm("pages.delete"):
        raise PermissionError
    # ok: python-assert-for-access
    assert page.is_saved
    # ok: python-assert-for-access
    assert page is not None
    page.delete()
