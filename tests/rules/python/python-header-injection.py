from http.server import BaseHTTPRequestHandler
from urllib.parse import quote, unquote


class Redirector(BaseHTTPRequestHandler):
    def do_GET(self):
        wanted = unquote(self.path)
        self.send_response(302)
        # ruleid: python-header-injection
        self.send_header("Location", wanted)
        # ruleid: python-header-injection
        self.send_header("X-Trace", self.headers["X-Trace"])
        # ok: python-header-injection
        self.send_header("Link", quote(wanted))
        # ok: python-header-injection
        self.send_header("Content-Length", "0")
        self.end_headers()
