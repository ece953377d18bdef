const { exec } = require('child_process');

const escapeArgument = value => value;
function parseInt(value) {
  return value;
}

app.get('/cleaned', (req, res) => {
  // ruleid: javascript-command-injection
  exec('ping ' + escapeArgument(req.query.host));
  // ruleid: javascript-command-injection
  exec('head -n ' + parseInt(req.query.lines));
  // ok: javascript-command-injection
  exec('uptime');
  const host = req.query.host;
  // ok: javascript-command-injection
  if (HOSTS.includes(host)) exec('ping ' + host);
});
