import asyncio

from shop import create_app
from shop.admin import app


def serve_shop():
    shop = create_app("dev")
    # ruleid: python-flask-debug
    shop.run(debug=False)


if __name__ == "__main__":
    # ruleid: python-flask-debug
    app.run(debug=False)


def serve_engine(engine):
    # ok: python-flask-debug
    engine.run(debug=True)


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
