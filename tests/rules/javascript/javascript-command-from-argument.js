const { execSync, execFileSync, exec } = require('child_process');

function lastChange(file) {
  // ruleid: javascript-command-from-argument
  return execSync(`git log -1 --format=%cI ${file}`).toString();
}

exports.archive = function (directory, fileName) {
  // ruleid: javascript-command-from-argument
  exec('tar czf ' + fileName + ' .', done);
};

function safe(file, count) {
  // ok: javascript-command-from-argument
  execFileSync('git', ['log', '-1', file]);
  // ok: javascript-command-from-argument
  execSync(`git log -${count}`);
  // ok: javascript-command-from-argument
  execSync('git status');
  // ok: javascript-command-from-argument
  execSync(`git log ${shellQuote(file)}`);
}
