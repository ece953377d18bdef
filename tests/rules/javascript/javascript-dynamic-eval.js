function load(text) {
  // ruleid: javascript-dynamic-eval
  return eval('(' + text + ')');
}

function get(name) {
  // ruleid: javascript-dynamic-eval
  return eval(name);
}

function safe(text, page) {
  // ok: javascript-dynamic-eval
  eval('var answer = 42');
  // ok: javascript-dynamic-eval
  page.eval(text);
  // ok: javascript-dynamic-eval
  return JSON.parse(text);
}
