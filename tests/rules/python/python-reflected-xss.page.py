import html

from aiohttp import web
from fastapi import FastAPI
from fastapi.responses import HTMLResponse
from sanic import response

app = FastAPI()


@app.get("/hello", response_class=HTMLResponse)
async def hello(name: str):
    # ruleid: python-reflected-xss
    return f"<p>{name}</p>"


@app.get("/greet", response_class=HTMLResponse)
async def greet(name: str):
    # ok: python-reflected-xss
    return f"<p>{html.escape(name)}</p>"


@app.get("/data")
async def data(name: str):
    # ok: python-reflected-xss
    return f"<p>{name}</p>"


async def page(request):
    name = request.query["name"]
    # ruleid: python-reflected-xss
    return web.Response(text="<h1>" + name + "</h1>", content_type="text/html")


async def plain(request):
    # ok: python-reflected-xss
    return web.Response(text=request.query["name"], content_type="text/plain")


@app.get("/sanic")
async def banner(request):
    # ruleid: python-reflected-xss
    return response.html("<b>" + request.args.get("text") + "</b>")
