const crypto = require('crypto');
// ruleid: javascript-static-iv
const a = crypto.createCipheriv('aes-256-cbc', key, '0123456789abcdef');
// ruleid: javascript-static-iv
const b = crypto.createCipheriv('aes-256-cbc', key, Buffer.alloc(16));

const iv = crypto.randomBytes(12);
// ok: javascript-static-iv
const c = crypto.createCipheriv('aes-256-gcm', key, iv);
// ok: javascript-static-iv
const d = crypto.createDecipheriv('aes-256-gcm', key, stored.iv);
