import os
import shlex
import subprocess

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
