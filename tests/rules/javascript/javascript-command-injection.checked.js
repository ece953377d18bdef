const { exec } = require('child_process');
const { isAllowed } = require('./hosts');

function isValid(host) {
  const name = /^[a-z]+$/;
  if (typeof host !== 'string') return false;
  return name.test(host);
}

app.get('/valid', (req, res) => {
  const host = req.query.host;
  if (!isValid(host)) return res.sendStatus(400);
  // ok: javascript-command-injection
  exec('ping ' + host);
});

app.get('/allowed', (req, res) => {
  const { host } = req.query;
  // ok: javascript-command-injection
  if (isAllowed(host)) exec('ping ' + host);
});

app.get('/unused', (req, res) => {
  const host = req.query.host;
  isAllowed(host);
  // ruleid: javascript-command-injection
  exec('ping ' + host);
});
