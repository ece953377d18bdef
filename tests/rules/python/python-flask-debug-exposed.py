from shop import create_app

app = create_app()


def serve():
    # ruleid: python-flask-debug-exposed
    app.run(host="0.0.0.0", port=8000, debug=True)


if __name__ == "__main__":
    # ruleid: python-flask-debug-exposed
    app.run("0.0.0.0", debug=True)


def serve_safely(flag):
    # ok: python-flask-debug-exposed
    app.run(host="127.0.0.1", debug=True)
    # ok: python-flask-debug-exposed
    app.run(host="0.0.0.0", debug=False)
    # ok: python-flask-debug-exposed
    app.run(host="0.0.0.0", debug=flag)
