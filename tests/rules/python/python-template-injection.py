import string

import jinja2
from flask import Flask, render_template, render_template_string, request

app = Flask(__name__)
environment = jinja2.Environment(autoescape=True)


@app.get("/hello")
def hello():
    name = request.args.get("name", "you")
    # ruleid: python-template-injection
    return render_template_string("<p>Hello " + name + "</p>")


@app.post("/mail")
def mail():
    # ruleid: python-template-injection
    body = environment.from_string(request.form["template"])
    # ok: python-template-injection
    plain = string.Template(request.form["template"])
    return body.render() + plain.substitute()


@app.get("/welcome")
def welcome():
    name = request.args.get("name", "you")
    # ok: python-template-injection
    first = render_template_string("<p>Hello {{ name }}</p>", name=name)
    # ok: python-template-injection
    return first + render_template("welcome.html", name=name)


@app.errorhandler(404)
def not_found(error):
    page = """<h3>%s</h3>""" % request.url
    # ruleid: python-template-injection
    return render_template_string(page), 404
