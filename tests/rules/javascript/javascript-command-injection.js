import { exec, spawn } from 'node:child_process';
import * as cp from 'child_process';

app.get('/ping', (req, res) => {
  // ruleid: javascript-command-injection
  exec(`ping -c 1 ${req.query.host}`, (err, out) => res.send(out));
});

app.post('/convert', (req, res) => {
  const name = req.body.name;
  // ruleid: javascript-command-injection
  cp.execSync('convert ' + name + ' out.png');
  // ruleid: javascript-command-injection
  spawn('convert', [name, 'out.png'], { shell: true });
  // ruleid: javascript-command-injection
  spawn('sh', ['-c', `convert ${name}`]);
});

export async function handler(event) {
  // ruleid: javascript-command-injection
  require('child_process').exec('git clone ' + event.queryStringParameters.repo);
}

app.post('/safe', async (req, res) => {
  // ok: javascript-command-injection
  spawn('convert', [req.body.name, 'out.png']);
  // ok: javascript-command-injection
  exec('ls -la', (err, out) => res.send(out));
  // ok: javascript-command-injection
  exec(`kill ${Number(req.body.pid)}`);
  // ok: javascript-command-injection
  const found = /^a+$/.exec(req.body.name);
  const id = req.body.id;
  if (!/^[a-z]+$/.test(id)) return;
  // ok: javascript-command-injection
  exec(`restart ${id}`);
  // ok: javascript-command-injection
  const row = await Model.find(req.query.q).exec(req.query.callback);
});
