// ruleid: javascript-buffer-constructor-text
const a = Buffer.from('text');
// ruleid: javascript-buffer-constructor-text
const b = Buffer.from(data, 'base64');

// ok: javascript-buffer-constructor-text
const c = Buffer.from('text');
// ok: javascript-buffer-constructor-text
const d = new Buffer(size);
