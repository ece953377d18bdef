app.get('/hello', (req, res) => {
  // ruleid: javascript-reflected-xss
  res.send('<h1>Hello ' + req.query.name + '</h1>');
  // ruleid: javascript-reflected-xss
  res.send(req.query.name);
});

app.get('/error', (req, res) => {
  const { message } = req.query;
  const page = `<p>${message}</p>`;
  // ruleid: javascript-reflected-xss
  res.end(page);
});

router.get('/koa', (ctx) => {
  // ruleid: javascript-reflected-xss
  ctx.body = `Welcome <b>${ctx.query.user}</b>`;
});

app.get('/safe', async (req, res) => {
  // ok: javascript-reflected-xss
  res.json({ name: req.query.name });
  // ok: javascript-reflected-xss
  res.send({ name: req.query.name });
  // ok: javascript-reflected-xss
  res.send('<h1>Hello ' + escapeHtml(req.query.name) + '</h1>');
  // ok: javascript-reflected-xss
  res.send('<h1>Hello</h1>');
  const user = await User.findOne({ id: req.params.id });
  // ok: javascript-reflected-xss
  res.send(user);
  // ok: javascript-reflected-xss
  res.status(400).send(JSON.stringify(req.body));
});

fastify.get('/profile', async (request, reply) => {
  const { name } = request.query;
  // ruleid: javascript-reflected-xss
  reply.type('text/html').send(`<h1>${name}</h1>`);
});

app.get('/text', (req, res) => {
  res.writeHead(200, { 'Content-Type': 'text/plain' });
  // ok: javascript-reflected-xss
  res.end(req.query.challenge);
});

app.get('/plain', (req, res) => {
  res.type('text/plain');
  // ok: javascript-reflected-xss
  res.send(req.query.challenge);
});

app.get('/feed', (req, res) => {
  res.set({ 'Cache-Control': 'public', 'Content-Type': 'text/xml' });
  // ok: javascript-reflected-xss
  res.send(req.query.challenge);
});
