from urllib.parse import urljoin, urlparse

from flask import abort, redirect, request, url_for

HOSTS = {"shop.example.com"}


def is_safe_url(target):
    here = urlparse(request.host_url)
    there = urlparse(urljoin(request.host_url, target))
    return there.scheme in ("http", "https") and here.netloc == there.netloc


def guarded():
    target = request.args.get("next")
    if not target or not is_safe_url(target):
        target = url_for("index")
    # ok: python-open-redirect
    return redirect(target)


def unguarded():
    target = request.args.get("next")
    if not target:
        target = url_for("index")
    # ruleid: python-open-redirect
    return redirect(target)


def known_host():
    target = request.args["next"]
    if urlparse(target).hostname not in HOSTS:
        abort(400)
    # ok: python-open-redirect
    return redirect(target)


def known_host_of_a_name():
    target = request.args["next"]
    parsed = urlparse(target)
    if parsed.scheme != "https" or parsed.netloc not in HOSTS:
        abort(400)
    # ok: python-open-redirect
    return redirect(target)


def known_scheme_alone():
    target = request.args["next"]
    parsed = urlparse(target)
    if parsed.scheme != "https":
        abort(400)
    # ruleid: python-open-redirect
    return redirect(target)


def path_of_this_host():
    target = request.args.get("next", "")
    if not target.startswith("/") or target.startswith("//"):
        target = "/"
    # ok: python-open-redirect
    return redirect(target)


def path_or_host():
    target = request.args.get("next", "")
    if not target.startswith("/"):
        target = "/"
    # ruleid: python-open-redirect
    return redirect(target)


@app.route("/looked-at")
def looked_at():
    target = request.args["next"]
    parsed = urlparse(target)
    if parsed.netloc:
        app.logger.info("outside")
    # ruleid: python-open-redirect
    return redirect(target)


@app.route("/must-have-a-host")
def must_have_a_host():
    target = request.args["next"]
    if not urlparse(target).netloc:
        abort(400)
    # ruleid: python-open-redirect
    return redirect(target)


@app.route("/within")
def within():
    target = request.args["next"]
    if not urlparse(target).netloc:
        # ok: python-open-redirect
        return redirect(target)
    return redirect("/")
