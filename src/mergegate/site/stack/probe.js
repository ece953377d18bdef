(asked) => {
  const limits = asked.limits;
  const attempt = (work, otherwise) => {
    try { return work(); } catch { return otherwise; }
  };
  const end = attempt(() => Date.now() + limits.ms, 0);
  const late = () => attempt(() => Date.now() > end, true);
  const cut = (value, most) => typeof value === 'string' ? value.slice(0, most) : '';
  const holds = (value) => value !== null && value !== undefined && value !== false;
  const said = (value) => {
    const kind = typeof value;
    if (kind === 'number' || kind === 'boolean') return `${value}`;
    return kind === 'string' ? cut(value, limits.text) : '';
  };
  // A form or frame called React is no React: both are reachable as globals by their name.
  const isMarkup = (value) => attempt(() => holds(value) && (value.window === value ||
    Object.prototype.toString.call(value).startsWith('[object HTML')), true);
  const follow = (start, steps) => {
    let at = start;
    for (const step of steps) {
      if (!holds(at) || (typeof at !== 'object' && typeof at !== 'function')) return undefined;
      at = at[step];
      if (isMarkup(at)) return undefined;
    }
    return at;
  };
  const value = (start, path) => {
    if (late()) return null;
    const found = attempt(() => follow(start, path.split('.')), undefined);
    return holds(found) ? said(found) : null;
  };
  const hasPrefix = (element, prefix) => {
    for (const key of Object.keys(element)) if (key.startsWith(prefix)) return true;
    return false;
  };
  const read = (element, attribute, property) => attempt(() => {
    if (attribute) {
      return element.hasAttribute(attribute)
        ? cut(element.getAttribute(attribute), limits.text) : null;
    }
    if (property.endsWith('*')) return hasPrefix(element, property.slice(0, -1)) ? '' : null;
    return value(element, property);
  }, null);
  const reading = ([selector, attribute, property]) => attempt(() => {
    let seen = 0;
    for (const element of document.querySelectorAll(selector)) {
      if ((seen += 1) > limits.elements || late()) return null;
      const found = read(element, attribute, property);
      if (found !== null) return found;
    }
    return null;
  }, null);
  const listed = (selector, most, say) => attempt(() => {
    const out = [];
    for (const element of document.querySelectorAll(selector)) {
      if (out.length >= most || late()) break;
      out[out.length] = attempt(() => say(element), null);
    }
    return out;
  }, []);
  // What made a page often signs in a comment before or behind its root element.
  const markup = (node) => node.nodeType === 8 ? `<!--${node.data}-->` : node.outerHTML || '';
  const html = () => {
    let whole = '';
    for (const node of document.childNodes) whole += markup(node);
    if (typeof whole !== 'string' || whole.length <= limits.html) return cut(whole, limits.html);
    const half = limits.html / 2;
    return `${whole.slice(0, half)}\n${whole.slice(-half)}`;
  };
  const address = (name) => (element) => cut(element[name], limits.address);
  const meta = (element) => [
    cut(element.getAttribute('name') || element.getAttribute('property'), limits.text),
    cut(element.getAttribute('content'), limits.text),
  ];
  const matches = (selector) => !late() && attempt(
    () => document.querySelector(selector) !== null, false);
  const cookies = () => document.cookie.split(';', limits.cookies)
    .map((one) => cut(one.split('=')[0].trim(), limits.text));
  return attempt(() => ({
    html: attempt(html, ''),
    metas: listed('meta[name],meta[property]', limits.metas, meta),
    scripts: listed('script[src]', limits.addresses, address('src')),
    styles: listed('link[rel~="stylesheet"][href]', limits.addresses, address('href')),
    cookies: attempt(cookies, []),
    globals: attempt(() => asked.globals.map((path) => value(globalThis, path)), []),
    selectors: attempt(() => asked.selectors.map(matches), []),
    readings: attempt(() => asked.readings.map(reading), []),
  }), null);
}
