import logging
import traceback

from flask import Flask, jsonify

app = Flask(__name__)
logger = logging.getLogger(__name__)


@app.get("/job")
def job():
    try:
        return start()
    except ValueError:
        # ruleid: python-stack-trace-in-response
        return jsonify({"error": traceback.format_exc()})
    except OSError:
        # ok: python-stack-trace-in-response
        logger.error(traceback.format_exc())
        # ok: python-stack-trace-in-response
        return jsonify({"error": "could not start"})


@app.get("/state")
def state():
    try:
        return start()
    except ValueError:
        # ruleid: python-stack-trace-in-response
        return "failed: " + traceback.format_exc()
