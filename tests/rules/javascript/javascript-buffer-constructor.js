// ruleid: javascript-buffer-constructor
const a = new Buffer(input);
// ruleid: javascript-buffer-constructor
const b = new Buffer(req.body.data);

// ok: javascript-buffer-constructor
const c = Buffer.from(input);
// ok: javascript-buffer-constructor
const d = Buffer.alloc(size);
