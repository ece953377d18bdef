const crypto = require('crypto');

function hook(req, body) {
  const expected = crypto.createHmac('sha256', key).update(body).digest('hex');
  // ruleid: javascript-signature-timing
  if (req.headers['x-signature'] !== expected) throw new Error('signature');
  const mac = crypto.createHmac('sha256', key);
  mac.update(body);
  // ruleid: javascript-signature-timing
  return mac.digest('hex') === req.query.signature;
}

function safe(req, body) {
  const expected = crypto.createHmac('sha256', key).update(body).digest();
  // ok: javascript-signature-timing
  return crypto.timingSafeEqual(expected, Buffer.from(req.query.signature, 'hex'));
}

function cached(body) {
  const sum = crypto.createHash('sha256').update(body).digest('hex');
  // ok: javascript-signature-timing
  return sum === known;
}
