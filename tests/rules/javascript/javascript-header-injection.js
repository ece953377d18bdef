app.get('/echo', (req, res) => {
  // ruleid: javascript-header-injection
  res.setHeader(req.query.name, req.query.value);
  // ruleid: javascript-header-injection
  res.set('X-' + req.query.name, '1');
});

app.get('/safe', (req, res) => {
  // ok: javascript-header-injection
  res.setHeader('X-Name', '1');
  // ok: javascript-header-injection
  res.set('Content-Language', req.query.language);
});
