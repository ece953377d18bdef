const HOSTS = ["shop.example.com"];

app.get("/host", (req, res) => {
  const address = new URL(req.query.to, "https://example.com");
  if (address.host !== "example.com") return res.sendStatus(400);
  // ok: javascript-open-redirect
  res.redirect(address.href);
});

app.get("/scheme", (req, res) => {
  const address = new URL(req.query.to, "https://example.com");
  if (address.protocol !== "https:") return res.sendStatus(400);
  // ruleid: javascript-open-redirect
  res.redirect(address.href);
});

app.get("/path", (req, res) => {
  const to = req.query.to;
  if (to && to.startsWith("/") && !to.startsWith("//")) {
    // ok: javascript-open-redirect
    return res.redirect(to);
  }
  return res.redirect("/");
});

app.get("/path-or-host", (req, res) => {
  const to = req.query.to;
  if (to && to.length) {
    // ruleid: javascript-open-redirect
    return res.redirect(to);
  }
  return res.redirect("/");
});

app.get("/choice", (req, res) => {
  // ok: javascript-open-redirect
  res.redirect(["/a", "/b"].includes(req.query.to) ? req.query.to : "/");
});
