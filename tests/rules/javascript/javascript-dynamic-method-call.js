app.post('/do', (req, res) => {
  // ruleid: javascript-dynamic-method-call
  actions[req.body.action](req.body.data);
  const { method } = req.query;
  // ruleid: javascript-dynamic-method-call
  res.json(service[method]());
});

app.post('/safe', (req, res) => {
  // ok: javascript-dynamic-method-call
  actions.get(req.body.action)(req.body.data);
  // ok: javascript-dynamic-method-call
  actions['list'](req.body.data);
  const name = req.body.action;
  if (!ALLOWED.has(name)) return res.sendStatus(400);
  // ok: javascript-dynamic-method-call
  actions[name](req.body.data);
});
