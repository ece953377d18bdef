const vm = require('vm');

app.post('/calc', (req, res) => {
  // ruleid: javascript-code-injection
  res.json({ result: eval(req.body.formula) });
});

app.get('/run', (req, res) => {
  const code = `return ${req.query.expr}`;
  // ruleid: javascript-code-injection
  const run = new Function('x', code);
  // ruleid: javascript-code-injection
  vm.runInNewContext(req.query.expr, {});
  // ruleid: javascript-code-injection
  setTimeout('tick(' + req.query.id + ')', 100);
});

app.post('/safe', (req, res) => {
  // ok: javascript-code-injection
  const data = JSON.parse(req.body.text);
  // ok: javascript-code-injection
  setTimeout(() => done(req.body.text), 100);
  // ok: javascript-code-injection
  eval('1 + 1');
  // ok: javascript-code-injection
  new Function('return ' + Number(req.body.n));
});

const run = eval;

app.get("/other-names", (req, res) => {
  const given = req.query.given;
  // ruleid: javascript-code-injection
  (0, eval)(given);
  // ruleid: javascript-code-injection
  eval?.(given);
  // ruleid: javascript-code-injection
  eval.call(null, given);
  // ruleid: javascript-code-injection
  globalThis.eval(given);
  // ruleid: javascript-code-injection
  run(given);
  // ruleid: javascript-code-injection
  require("node:vm").runInNewContext(given);
  // ok: javascript-code-injection
  (0, parse)(given);
  // ok: javascript-code-injection
  page.eval(given);
});
