// ruleid: javascript-buffer-constructor-size
const a = new Buffer(16);
// ruleid: javascript-buffer-constructor-size
const b = Buffer(1024);

// ok: javascript-buffer-constructor-size
const c = Buffer.alloc(16);
// ok: javascript-buffer-constructor-size
const d = new Buffer(input);
