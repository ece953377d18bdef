import os

# ruleid: python-oauth-insecure-transport
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"


def allow_plain_http():
    # ruleid: python-oauth-insecure-transport
    os.environ.setdefault("OAUTHLIB_INSECURE_TRANSPORT", "1")


if os.environ.get("DEVELOPMENT"):
    # ok: python-oauth-insecure-transport
    os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"

# ok: python-oauth-insecure-transport
os.environ["OAUTHLIB_RELAX_TOKEN_SCOPE"] = "1"
