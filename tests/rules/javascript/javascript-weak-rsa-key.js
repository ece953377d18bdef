const crypto = require('crypto');
// ruleid: javascript-weak-rsa-key
const pair = crypto.generateKeyPairSync('rsa', { modulusLength: 1024 });
// ruleid: javascript-weak-rsa-key
const key = new NodeRSA({ b: 512 });

// ok: javascript-weak-rsa-key
const good = crypto.generateKeyPairSync('rsa', { modulusLength: 4096 });
// ok: javascript-weak-rsa-key
const other = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' });
