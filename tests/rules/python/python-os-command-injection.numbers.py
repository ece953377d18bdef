import os

from fastapi import FastAPI, Request

app = FastAPI()


@app.post("/pages")
async def pages(request: Request):
    number = 1
    verbose = True
    form = request.query_params
    # ruleid: python-os-command-injection
    os.system("convert " + form.number)
    # ruleid: python-os-command-injection
    os.system("convert " + form.verbose)
    # ok: python-os-command-injection
    os.system("convert -page %d" % len(form.name))
    # ok: python-os-command-injection
    os.system(f"convert -verbose {bool(form.name)} {number} {verbose}")
