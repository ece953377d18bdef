from flask import Flask, request

app = Flask(__name__)


@app.post("/greeting")
def greeting():
    template = request.form["greeting"]
    # ruleid: python-format-string-from-request
    return {"text": template.format(user=current_user)}


@app.post("/label")
def label():
    # ruleid: python-format-string-from-request
    text = (request.form["prefix"] + ": {name}").format(name=current_user)
    # ok: python-format-string-from-request
    same = "{prefix}: {name}".format(prefix=request.form["prefix"], name="x")
    # ok: python-format-string-from-request
    return {"text": text, "same": same, "plain": "Hello {}".format(request.args["name"])}
