const crypto = require('crypto');
// ruleid: javascript-weak-signature-hash
const a = crypto.createSign('RSA-SHA1');
// ruleid: javascript-weak-signature-hash
const b = crypto.createVerify('md5');

// ok: javascript-weak-signature-hash
const c = crypto.createSign('RSA-SHA256');
// ok: javascript-weak-signature-hash
const d = crypto.createHash('sha1');
