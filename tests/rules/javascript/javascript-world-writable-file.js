const fs = require('fs');
// ruleid: javascript-world-writable-file
fs.chmodSync('run.sh', 0o777);
// ruleid: javascript-world-writable-file
fs.writeFileSync('data.json', text, { mode: '666' });

// ok: javascript-world-writable-file
fs.chmodSync('run.sh', 0o755);
// ok: javascript-world-writable-file
fs.writeFileSync('data.json', text, { mode: 0o600 });
