from flask import Flask

app = Flask(__name__)
# ruleid: python-insecure-cookie
app.config["SESSION_COOKIE_HTTPONLY"] = False


def login(response, token):
    # ruleid: python-insecure-cookie
    response.set_cookie("session", token)
    # ruleid: python-insecure-cookie
    response.set_cookie("auth_token", token, httponly=True, secure=False)


def login_well(response, token, options):
    # ok: python-insecure-cookie
    response.set_cookie("session", token, secure=True, httponly=True, samesite="Lax")
    # ok: python-insecure-cookie
    response.set_cookie("theme", "dark")
    # ok: python-insecure-cookie
    response.set_cookie("session", token, **options)
    # ok: python-insecure-cookie
    response.set_cookie("csrf_token", token, httponly=False)
