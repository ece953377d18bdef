const crypto = require('crypto');
// ruleid: javascript-weak-cipher
const a = crypto.createCipheriv('des-ede3-cbc', key, iv);
// ruleid: javascript-weak-cipher
const b = crypto.createCipheriv('aes-128-ecb', key, null);
// ruleid: javascript-weak-cipher
const c = CryptoJS.AES.encrypt(text, key, { mode: CryptoJS.mode.ECB });

// ok: javascript-weak-cipher
const d = crypto.createCipheriv('aes-256-gcm', key, iv);
// ok: javascript-weak-cipher
const e = CryptoJS.AES.encrypt(text, key, { mode: CryptoJS.mode.CBC });
