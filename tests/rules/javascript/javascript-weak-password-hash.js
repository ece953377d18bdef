const crypto = require('crypto');

function store(user, password) {
  // ruleid: javascript-weak-password-hash
  user.hash = crypto.createHash('md5').update(password).digest('hex');
  // ruleid: javascript-weak-password-hash
  user.other = crypto.createHash('sha256').update(user.salt + user.password).digest('hex');
}

async function safe(password, file) {
  // ok: javascript-weak-password-hash
  const hash = await bcrypt.hash(password, 12);
  // ok: javascript-weak-password-hash
  const etag = crypto.createHash('md5').update(file).digest('hex');
  // ok: javascript-weak-password-hash
  const key = crypto.scryptSync(password, salt, 32);
}
