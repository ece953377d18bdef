const crypto = require('crypto');
// ruleid: javascript-deprecated-cipher
const cipher = crypto.createCipher('aes-256-cbc', password);
// ruleid: javascript-deprecated-cipher
const decipher = crypto.createDecipher('aes-256-cbc', password);

// ok: javascript-deprecated-cipher
const good = crypto.createCipheriv('aes-256-gcm', key, iv);
// ok: javascript-deprecated-cipher
const other = factory.createCipher();
