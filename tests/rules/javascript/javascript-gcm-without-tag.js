const crypto = require('crypto');

function open(data) {
  // ruleid: javascript-gcm-without-tag
  const decipher = crypto.createDecipheriv('aes-256-gcm', key, data.iv);
  return decipher.update(data.text, 'hex', 'utf8');
}

function read(data) {
  // ruleid: javascript-gcm-without-tag
  const decipher = crypto.createDecipheriv('aes-128-gcm', key, data.iv);
  const text = decipher.update(data.text) + decipher.final();
  return text;
}

function safe(data) {
  // ok: javascript-gcm-without-tag
  const decipher = crypto.createDecipheriv('aes-256-gcm', key, data.iv);
  decipher.setAuthTag(data.tag);
  return decipher.update(data.text, 'hex', 'utf8') + decipher.final('utf8');
}

function cbc(data) {
  // ok: javascript-gcm-without-tag
  const decipher = crypto.createDecipheriv('aes-256-cbc', key, data.iv);
  return decipher.update(data.text, 'hex', 'utf8') + decipher.final('utf8');
}
