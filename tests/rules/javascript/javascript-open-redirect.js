app.get('/login', (req, res) => {
  // ruleid: javascript-open-redirect
  res.redirect(req.query.next);
  // ruleid: javascript-open-redirect
  res.writeHead(302, { Location: req.query.next });
});

router.get('/out', (ctx) => {
  const { url } = ctx.query;
  // ruleid: javascript-open-redirect
  ctx.redirect(url);
});

app.get('/safe', (req, res) => {
  // ok: javascript-open-redirect
  res.redirect('/users/' + req.params.id);
  // ok: javascript-open-redirect
  res.redirect(`/search?q=${req.query.q}`);
  // ok: javascript-open-redirect
  res.redirect(`${BASE_URL}/search?q=${req.query.q}`);
  const next = req.query.next;
  if (!KNOWN_PATHS.includes(next)) return res.redirect('/');
  // ok: javascript-open-redirect
  res.redirect(next);
});

app.get('/back', (req, res) => {
  // ok: javascript-open-redirect
  res.redirect(/^\/(?![/\\\s])/.test(req.query.next) ? req.query.next : '/');
  // ruleid: javascript-open-redirect
  res.redirect(/^\//.test(req.query.next) ? req.query.next : '/');
});
