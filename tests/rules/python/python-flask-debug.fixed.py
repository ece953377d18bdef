import asyncio

from flask import Flask

app = Flask(__name__)

if __name__ == "__main__":
    # ruleid: python-flask-debug
    app.run(host="localhost", debug=False)


def serve(port):
    # ruleid: python-flask-debug
    app.run(port=port, debug=False, threaded=True)


def serve_quietly(main, flag):
    # ok: python-flask-debug
    app.run(debug=False)
    # ok: python-flask-debug
    app.run(debug=flag)
    # ok: python-flask-debug
    app.run()
