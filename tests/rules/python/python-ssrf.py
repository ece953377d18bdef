import aiohttp
import httpx
import requests
from fastapi import FastAPI
from flask import Flask, request

app = Flask(__name__)
api = FastAPI()
BACKEND = "https://backend.example.org"


@app.get("/preview")
def preview():
    address = request.args["url"]
    # ruleid: python-ssrf
    page = requests.get(address, timeout=5)
    # ok: python-ssrf
    title = requests.get(f"https://titles.example.org/{address}", timeout=5)
    # ok: python-ssrf
    size = requests.get("https://size.example.org/", params={"of": address}, timeout=5)
    # ok: python-ssrf
    more = requests.get(BACKEND + "/about/" + address, timeout=5)
    return page.text + title.text + size.text + more.text


@api.post("/hook")
async def hook(callback: str, page: int):
    async with aiohttp.ClientSession() as session:
        # ruleid: python-ssrf
        await session.get(callback)
    async with httpx.AsyncClient() as client:
        # ruleid: python-ssrf
        await client.post(f"https://{callback}/done")
        # ok: python-ssrf
        await client.get(f"{BACKEND}/pages/{page}")
    # ok: python-ssrf
    return session.get("name")


def proxy(request):
    if not is_allowed_host(request.GET["target"]):
        return HttpResponse(status=400)
    # ruleid: python-ssrf
    return httpx.get(request.POST["target"])
