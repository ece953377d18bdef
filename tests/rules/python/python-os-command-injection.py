import functools
import importlib
import os
import pty
import shlex
import subprocess
import threading

from flask import Flask, request

app = Flask(__name__)


@app.post("/ping")
def ping():
    host = request.form["host"]
    # ruleid: python-os-command-injection
    os.system("ping -c 1 " + host)
    # ruleid: python-os-command-injection
    subprocess.run(f"ping -c 1 {host}", shell=True, check=True)
    # ruleid: python-os-command-injection
    subprocess.run(["bash", "-c", "ping " + host], check=True)
    # ok: python-os-command-injection
    subprocess.run(["ping", "-c", "1", host], check=True)
    # ok: python-os-command-injection
    os.system("ping -c 1 " + shlex.quote(host))
    # ok: python-os-command-injection
    os.system("uptime")
    return "done"


def lambda_handler(event, context):
    # ruleid: python-os-command-injection
    return os.popen("convert %s out.png" % event["key"]).read()


class Resize(View):
    def post(self, request, name):
        # ruleid: python-os-command-injection
        subprocess.check_output(f"identify {self.request.POST['file']}", shell=True)
        width = int(request.POST["width"])
        # ok: python-os-command-injection
        subprocess.check_output(f"resize {width}", shell=True)
        return HttpResponse(status=204)


@app.post("/other-names")
def other_names(options, pool, worker):
    given = request.form["given"]
    # ruleid: python-os-command-injection
    os.system(command=given)
    # ruleid: python-os-command-injection
    subprocess.run(args=given, shell=True)
    # ruleid: python-os-command-injection
    subprocess.run(given, shell=1)
    # ruleid: python-os-command-injection
    subprocess.run(given, **{"shell": True})
    # ok: python-os-command-injection
    subprocess.run(given.split(), **options)
    shelled = dict(check=True, shell=True)
    # ruleid: python-os-command-injection
    subprocess.run(given, **shelled)
    # ruleid: python-os-command-injection
    os.execvp("sh", ["sh", "-c", given])
    # ruleid: python-os-command-injection
    os.execl("/bin/sh", "sh", "-c", given)
    # ruleid: python-os-command-injection
    os.spawnl(os.P_WAIT, "/bin/sh", "sh", "-c", given)
    # ruleid: python-os-command-injection
    pty.spawn(["bash", "-c", given])
    # ruleid: python-os-command-injection
    list(map(os.system, [given]))
    # ruleid: python-os-command-injection
    functools.partial(os.system, given)()
    # ruleid: python-os-command-injection
    pool.submit(os.system, given)
    # ruleid: python-os-command-injection
    threading.Thread(target=os.system, args=(given,)).start()
    # ruleid: python-os-command-injection
    getattr(os, "system")(given)
    # ruleid: python-os-command-injection
    vars(os)["system"](given)
    # ruleid: python-os-command-injection
    os.__dict__["system"](given)
    # ruleid: python-os-command-injection
    getattr(__import__("os"), "system")(given)
    # ruleid: python-os-command-injection
    __import__("os").system(given)
    # ruleid: python-os-command-injection
    importlib.import_module("os").system(given)
    # ruleid: python-os-command-injection
    importlib.import_module("subprocess").getoutput(given)
    # ok: python-os-command-injection
    subprocess.run(["ping", given], **options)
    # ok: python-os-command-injection
    getattr(os, "listdir")(".")
    # ok: python-os-command-injection
    importlib.import_module("os").uname()
    # ok: python-os-command-injection
    getattr(worker, "run")(given)
    # ok: python-os-command-injection
    __import__("json").loads(given)
    # ok: python-os-command-injection
    pool.submit(os.stat, given)
    # ok: python-os-command-injection
    os.execvp("ping", ["ping", given])
    run = os.system
    # ruleid: python-os-command-injection
    run(given)
    held = __import__("os")
    # ruleid: python-os-command-injection
    held.system(given)
    # ok: python-os-command-injection
    held.stat(given)


@app.get("/spelled")
def spelled():
    called = request
    # ruleid: python-os-command-injection
    os.system(called.args["host"])
    # ruleid: python-os-command-injection
    os.system(getattr(request, "args")["host"])
    # ruleid: python-os-command-injection
    os.system(request.args["host"][1:])
    # ruleid: python-os-command-injection
    os.system(request.environ["QUERY_STRING"])
    # ruleid: python-os-command-injection
    os.system("log " + request.full_path)
    # ok: python-os-command-injection
    os.system("log " + getattr(settings, "args")["host"])
    # ok: python-os-command-injection
    os.system("log " + request.method)


def any_name(incoming):
    # ruleid: python-os-command-injection
    os.system("ping " + incoming.GET["host"])
    # ok: python-os-command-injection
    os.system("ping " + incoming.GET)


async def typed(incoming: fastapi.Request):
    given = await incoming.json()
    # ruleid: python-os-command-injection
    os.system(given["command"])


def lambda_handler(evt, _):
    # ruleid: python-os-command-injection
    os.system(evt["queryStringParameters"]["host"])
    # ok: python-os-command-injection
    os.system(evt["region"])


def application(environ, start_response):
    # ruleid: python-os-command-injection
    os.system(environ["QUERY_STRING"])


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        # ruleid: python-os-command-injection
        os.system("ls " + self.path)

    def reload(self):
        # ok: python-os-command-injection
        os.system("ls " + self.path)


@app.get("/checked")
def checked():
    host = request.args["host"]
    if host in host:
        # ruleid: python-os-command-injection
        os.system("ping " + host)
    if host in (host, "localhost"):
        # ruleid: python-os-command-injection
        os.system("ping " + host)
    if host in request.args:
        # ruleid: python-os-command-injection
        os.system("ping " + host)
    if host not in HOSTS:
        logger.warning("another host")
    # ruleid: python-os-command-injection
    os.system("ping " + host)
    if is_host(host):
        pass
    # ruleid: python-os-command-injection
    os.system("ping " + host)
    if is_host(host):
        pass
    else:
        return "another host"
    # ok: python-os-command-injection
    os.system("ping " + host)


@app.get("/known")
def known():
    host = request.args["host"]
    if host not in HOSTS:
        return "another host"
    # ok: python-os-command-injection
    os.system("ping " + host)


class Detail(DetailView):
    def get_object(self):
        # ruleid: python-os-command-injection
        os.system("render " + self.kwargs["slug"])
        # ok: python-os-command-injection
        os.system("render %d" % int(self.kwargs["slug"]))


class Job(Thread):
    def __init__(self, **kwargs):
        self.kwargs = kwargs

    def run(self):
        # ok: python-os-command-injection
        os.system(self.kwargs["command"])


class Stored(JobMixin):
    def __init__(self, **kwargs):
        self.kwargs = kwargs

    def run(self):
        # ok: python-os-command-injection
        os.system(self.kwargs["command"])
