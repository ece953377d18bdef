// ruleid: javascript-buffer-constructor-text
const a = new Buffer('text');
// ruleid: javascript-buffer-constructor-text
const b = new Buffer(data, 'base64');

// ok: javascript-buffer-constructor-text
const c = Buffer.from('text');
// ok: javascript-buffer-constructor-text
const d = new Buffer(size);
