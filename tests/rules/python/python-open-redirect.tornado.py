import tornado.web


class Login(tornado.web.RequestHandler):
    def get(self):
        # ruleid: python-open-redirect
        self.redirect(self.get_argument("next"))
        # ruleid: python-open-redirect
        self.redirect(self.get_query_argument("next"), permanent=True)
        # ok: python-open-redirect
        self.redirect(self.reverse_url("home"))


class Robot:
    def drive(self):
        # ok: python-open-redirect
        self.redirect(self.get_argument("heading"))


class Moved(tornado.web.RequestHandler):
    def get(self):
        # ok: python-open-redirect
        self.redirect("?".join([self.target, self.request.query]))

    def post(self):
        # ruleid: python-open-redirect
        self.redirect("?".join([self.get_argument("next"), self.target]))
