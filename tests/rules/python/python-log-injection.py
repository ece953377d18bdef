import logging

from flask import Flask, request

app = Flask(__name__)
logger = logging.getLogger(__name__)


@app.post("/login")
def login():
    name = request.form["name"]
    # ruleid: python-log-injection
    logger.info("login of %s", name)
    # ruleid: python-log-injection
    logging.warning(f"login of {name}")
    # ok: python-log-injection
    logger.info("login of %s", repr(name))
    # ok: python-log-injection
    logger.info("page %s", int(request.args["page"]))
    return "ok"
