// ruleid: javascript-prototype-pollution-merge
function merge(target, source) {
  for (const key in source) {
    if (typeof source[key] === 'object') merge(target[key], source[key]);
    else target[key] = source[key];
  }
  return target;
}

// ruleid: javascript-prototype-pollution-merge
function deepExtend(into, from) {
  for (var name in from) {
    if (isObject(from[name]) && into[name]) {
      deepExtend(into[name], from[name]);
    } else {
      into[name] = from[name];
    }
  }
}

// ok: javascript-prototype-pollution-merge
function safeMerge(target, source) {
  for (const key in source) {
    if (key === '__proto__') continue;
    if (typeof source[key] === 'object') safeMerge(target[key], source[key]);
    else target[key] = source[key];
  }
}

// ok: javascript-prototype-pollution-merge
function mergeFlat(target, source) {
  for (const key in source) target[key] = source[key];
  return target;
}
