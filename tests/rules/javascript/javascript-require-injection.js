app.get('/plugin', async (req, res) => {
  // ruleid: javascript-require-injection
  const plugin = require('./plugins/' + req.query.name);
  // ruleid: javascript-require-injection
  const other = await import(req.query.name);
});

app.get('/safe', async (req, res) => {
  const plugins = { a: './plugins/a', b: './plugins/b' };
  // ok: javascript-require-injection
  const plugin = require(plugins[req.query.name]);
  // ok: javascript-require-injection
  const fixed = await import('./plugins/a');
});
