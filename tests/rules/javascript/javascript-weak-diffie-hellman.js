const crypto = require('crypto');
// ruleid: javascript-weak-diffie-hellman
const a = crypto.getDiffieHellman('modp2');
// ruleid: javascript-weak-diffie-hellman
const b = crypto.createDiffieHellmanGroup('modp5');

// ok: javascript-weak-diffie-hellman
const c = crypto.getDiffieHellman('modp14');
// ok: javascript-weak-diffie-hellman
const d = crypto.createECDH('secp256k1');
