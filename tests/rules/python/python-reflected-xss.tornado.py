import tornado.web
from tornado.escape import xhtml_escape


class Search(tornado.web.RequestHandler):
    def get(self):
        wanted = self.get_argument("q")
        # ruleid: python-reflected-xss
        self.write("<h1>" + wanted + "</h1>")
        # ruleid: python-reflected-xss
        self.write(f"<p>{wanted}</p>")
        # ok: python-reflected-xss
        self.write("<p>" + xhtml_escape(wanted) + "</p>")
        # ok: python-reflected-xss
        self.write({"wanted": wanted})
