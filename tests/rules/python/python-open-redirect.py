import re

from django.http import HttpResponseRedirect
from fastapi import FastAPI
from fastapi.responses import RedirectResponse
from flask import Flask, redirect, request, url_for

app = Flask(__name__)
api = FastAPI()


@app.get("/login")
def login():
    if request.args.get("home"):
        # ok: python-open-redirect
        return redirect(url_for("home", page=request.args["home"]))
    # ruleid: python-open-redirect
    return redirect(request.args.get("next", "/"))


@app.get("/user/<name>")
def user(name):
    if name == "home":
        # ok: python-open-redirect
        return redirect(get_safe_redirect(name))
    if name == "search":
        # ok: python-open-redirect
        return redirect(f"{SEARCH}?{request.query_string}")
    # ok: python-open-redirect
    return redirect(f"/people/{name}")


@api.get("/go")
async def go(target: str):
    # ruleid: python-open-redirect
    return RedirectResponse(target)


def leave(request):
    target = request.GET.get("next")
    if target and not url_has_allowed_host_and_scheme(url=target, allowed_hosts=None):
        target = "/"
    # ok: python-open-redirect
    return HttpResponseRedirect(target)


def return_safely(request):
    target = request.GET.get("next")
    hosts = {request.get_host()}
    # ok: python-open-redirect
    return redirect(target if url_has_allowed_host_and_scheme(target, allowed_hosts=hosts) else "/")


@app.get("/back")
def back():
    target = request.args.get("next")
    if request.args.get("far"):
        # ruleid: python-open-redirect
        return redirect(target if re.match(r"/", target or "") else "/")
    # ok: python-open-redirect
    return redirect(target if re.match(r"/(?![/\\\s])", target or "") else "/")
