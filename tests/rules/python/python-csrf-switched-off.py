from flask import Flask

app = Flask(__name__)
# ruleid: python-csrf-switched-off
app.config["WTF_CSRF_ENABLED"] = False


class Config:
    # ruleid: python-csrf-switched-off
    WTF_CSRF_ENABLED = False


class TestConfig:
    TESTING = True
    # ok: python-csrf-switched-off
    WTF_CSRF_ENABLED = False


# ok: python-csrf-switched-off
app.config["WTF_CSRF_ENABLED"] = True
# ok: python-csrf-switched-off
app.config["WTF_CSRF_TIME_LIMIT"] = None
