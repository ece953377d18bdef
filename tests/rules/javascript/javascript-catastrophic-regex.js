// ruleid: javascript-catastrophic-regex
const word = /^(\w+)+$/;
// ruleid: javascript-catastrophic-regex
const list = /^(?:[a-z]*)*;$/;

// ok: javascript-catastrophic-regex
const safe = /^\w+(?:-\w+)*$/;
// ok: javascript-catastrophic-regex
const once = /^(\w+)?$/;
