const serialize = require('serialize-javascript');
// ruleid: javascript-serialize-unsafe
const a = serialize(state, { unsafe: true });
// ruleid: javascript-serialize-unsafe
const b = serialize(state, { isJSON: true, unsafe: true });

// ok: javascript-serialize-unsafe
const c = serialize(state, { isJSON: true });
// ok: javascript-serialize-unsafe
const d = serialize(state, { unsafe: false });
