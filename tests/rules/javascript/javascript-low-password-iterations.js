const crypto = require('crypto');
const bcrypt = require('bcrypt');
// ruleid: javascript-low-password-iterations
const a = crypto.pbkdf2Sync(password, salt, 1000, 64, 'sha512');
// ruleid: javascript-low-password-iterations
const b = await bcrypt.hash(password, 6);

// ok: javascript-low-password-iterations
const c = crypto.pbkdf2Sync(password, salt, 210000, 64, 'sha512');
// ok: javascript-low-password-iterations
const d = await bcrypt.hash(password, 12);
