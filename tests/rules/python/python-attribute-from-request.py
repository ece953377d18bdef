from flask import Flask, request

app = Flask(__name__)
ACTIONS = {"start": "start", "stop": "stop"}


@app.post("/jobs/<action>")
def control(action):
    # ruleid: python-attribute-from-request
    getattr(job, action)()
    # ok: python-attribute-from-request
    getattr(job, ACTIONS[action])()
    return "ok"


@app.post("/profile")
def profile():
    for key, value in request.get_json().items():
        # ruleid: python-attribute-from-request
        setattr(user, key, value)
    # ok: python-attribute-from-request
    user.name = request.get_json()["name"]
    return "ok"


@app.post("/state")
def state():
    wanted = request.args["state"]
    if wanted not in ("open", "closed"):
        return "no", 400
    # ok: python-attribute-from-request
    return getattr(job, wanted)
