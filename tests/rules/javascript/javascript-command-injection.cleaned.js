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
