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

app.get('/list', (req, res) => {
  let id = 1;
  let all = true;
  // ruleid: javascript-command-injection
  exec('ls ' + req.query.id);
  // ruleid: javascript-command-injection
  exec('ls ' + req.query.all);
  // ok: javascript-command-injection
  exec('ls ' + (req.query.page - 1) * 10);
  // ok: javascript-command-injection
  exec('ls ' + Math.max(id, req.query.id));
});

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

import { exec as imported } from "node:child_process";
const tools = require("node:child_process");
const { exec: renamed } = require("child_process");
const run = exec.bind(null);

app.get("/other-names", (req, res) => {
  const given = req.query.given;
  // ruleid: javascript-command-injection
  exec.call(null, given);
  // ruleid: javascript-command-injection
  exec.apply(null, [given]);
  // ruleid: javascript-command-injection
  Reflect.apply(exec, null, [given]);
  // ruleid: javascript-command-injection
  exec?.(given);
  // ruleid: javascript-command-injection
  (0, exec)(given);
  // ruleid: javascript-command-injection
  promisify(exec)(given);
  // ruleid: javascript-command-injection
  util.promisify(exec)(given);
  // ruleid: javascript-command-injection
  require("child_process")["exec"](given);
  // ruleid: javascript-command-injection
  cp[name](given);
  // ruleid: javascript-command-injection
  cp?.exec(given);
  // ruleid: javascript-command-injection
  run(given);
  // ruleid: javascript-command-injection
  renamed(given);
  // ruleid: javascript-command-injection
  imported(given);
  // ruleid: javascript-command-injection
  tools.exec(given);
  // ruleid: javascript-command-injection
  import("child_process").then((module) => module.exec(given));
  // ruleid: javascript-command-injection
  tools.execFile("bash", ["-c", given]);
  // ok: javascript-command-injection
  pattern.exec(given);
  // ok: javascript-command-injection
  jobs[name](given);
  // ok: javascript-command-injection
  tools.execFile("ls", ["-c", given]);
  // ok: javascript-command-injection
  handler.call(null, given);
});

app.get('/spelled', (incoming, outgoing) => {
  // ruleid: javascript-command-injection
  exec('ping ' + incoming.query.host);
  // ok: javascript-command-injection
  exec('ping ' + settings.query.host);
});

app.get('/spelled/otherwise', async (req, res) => {
  const asked = req;
  // ruleid: javascript-command-injection
  exec('ping ' + asked.query.host);
  // ruleid: javascript-command-injection
  exec('ping ' + req['query'].host);
  // ruleid: javascript-command-injection
  exec('ping ' + req?.query?.host);
  // ruleid: javascript-command-injection
  exec('ls ' + req.originalUrl);
  // ruleid: javascript-command-injection
  exec('file ' + req.file.originalname);
  // ok: javascript-command-injection
  exec('file ' + req.file.path);
  // ok: javascript-command-injection
  exec('file ' + req.files.photo.tempFilePath);
  const text = await req.text();
  // ruleid: javascript-command-injection
  exec('ls ' + text);
  const settled = await Promise.resolve(req.query.host);
  // ruleid: javascript-command-injection
  exec('ping ' + settled);
  // ok: javascript-command-injection
  exec('ping ' + settings['query'].host);
  const name = await names.find(req.query.host);
  // ok: javascript-command-injection
  exec('ping ' + name);
});

export async function spelled(event) {
  // ruleid: javascript-command-injection
  exec('ping ' + event['queryStringParameters'].host);
  // ok: javascript-command-injection
  exec('ping ' + event['region']);
}

app.get('/checked', (req, res) => {
  const host = req.query.host;
  // ruleid: javascript-command-injection
  if (host.includes(host)) exec('ping ' + host);
  // ruleid: javascript-command-injection
  if ([host, 'a'].includes(host)) exec('ping ' + host);
  /^[a-z]+$/.test(host);
  // ruleid: javascript-command-injection
  exec('ping ' + host);
});

app.get('/known', (req, res) => {
  const host = req.query.host;
  const known =
    /^[a-z]+$/.test(host);
  // ok: javascript-command-injection
  if (known) exec('ping ' + host);
});
