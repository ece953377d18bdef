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

app.post('/renamed', async (incoming, outgoing) => {
  // ruleid: javascript-command-injection
  exec('ping ' + incoming.body.host);
});

queue.process('resize', (job, done) => {
  // ok: javascript-command-injection
  exec('resize ' + job.params.file, done);
});

emitter.on('print', function (page, done) {
  // ok: javascript-command-injection
  exec('print ' + page.body, done);
});

$.get('/host', (answer, status) => {
  // ok: javascript-command-injection
  exec('ping ' + answer.body);
});
