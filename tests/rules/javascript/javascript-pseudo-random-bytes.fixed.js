const crypto = require('crypto');
// ruleid: javascript-pseudo-random-bytes
const id = crypto.randomBytes(16).toString('hex');
// ruleid: javascript-pseudo-random-bytes
crypto.randomBytes(8, (error, bytes) => done(bytes));

// ok: javascript-pseudo-random-bytes
const good = crypto.randomBytes(16);
// ok: javascript-pseudo-random-bytes
const own = pseudoRandomBytes(16);
