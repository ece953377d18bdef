app.get('/search', async (req, res) => {
  // ruleid: javascript-regex-injection
  const pattern = new RegExp(req.query.q, 'i');
  const { prefix } = req.query;
  // ruleid: javascript-regex-injection
  res.json(names.filter((name) => new RegExp('^' + prefix).test(name)));
});

app.get('/safe', async (req, res) => {
  // ok: javascript-regex-injection
  const pattern = new RegExp(escapeRegExp(req.query.q), 'i');
  // ok: javascript-regex-injection
  const own = new RegExp(req.query.q.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  // ok: javascript-regex-injection
  const fixed = new RegExp('^[a-z]+$');
});
