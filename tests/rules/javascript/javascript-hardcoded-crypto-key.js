const crypto = require('crypto');
// ruleid: javascript-hardcoded-crypto-key
const cipher = crypto.createCipheriv('aes-256-gcm', 'example key of thirty-two bytes!', iv);
// ruleid: javascript-hardcoded-crypto-key
const mac = crypto.createHmac('sha256', 'example signing key').update(body).digest('hex');

// ok: javascript-hardcoded-crypto-key
const good = crypto.createCipheriv('aes-256-gcm', key, iv);
// ok: javascript-hardcoded-crypto-key
const env = crypto.createHmac('sha256', process.env.HOOK_SECRET).update(body).digest('hex');
// ok: javascript-hardcoded-crypto-key
const checksum = crypto.createHmac('sha256', '').update(body).digest('hex');
