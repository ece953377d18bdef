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
