const { exec } = require('child_process');

const escapeArgument = value => `'${value.replace(/'/g, "'\\''")}'`;
const safeName = value => names[value];
const escaped = value => value + 1;

app.get('/cleaned', (req, res) => {
  // ruleid: javascript-command-injection
  exec('ping ' + req.query.host);
  // ruleid: javascript-command-injection
  exec('ping ' + String(req.query.host));
  // ok: javascript-command-injection
  exec('ping ' + escapeArgument(req.query.host));
  // ok: javascript-command-injection
  exec('ping ' + safeName(req.query.host));
});

app.get('/assigned', (req, res) => {
  const pid = parseInt(req.params.pid, 10);
  // ok: javascript-command-injection
  exec(`kill ${pid}`);
  let size = req.query.size;
  size = Number(size);
  // ok: javascript-command-injection
  exec('head -c ' + size);
  var shown = shellEscape(req.query.shown), other = req.query.other;
  // ok: javascript-command-injection
  exec('ls ' + shown);
  // ruleid: javascript-command-injection
  exec('ls ' + other);
  const { name } = schema.parse(req.body);
  // ok: javascript-command-injection
  exec('ls ' + name);
  // ruleid: javascript-command-injection
  const code = Number(exec(req.query.command));
});
