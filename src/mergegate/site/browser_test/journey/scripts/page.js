// What we know of elements; runs in our isolated world when a document begins, before its scripts.
(() => {
  if (self !== top) return;
  // An <img name="querySelectorAll"> replaces that property of its document, an <input name="id">
  // that of its form, in every world (HTML: named access). The prototypes have the real ones.
  const getter = (type, name) => {
    const { get } = Object.getOwnPropertyDescriptor(type.prototype, name);
    return (target) => Reflect.apply(get, target, []);
  };
  const method = (type, name) => {
    const real = type.prototype[name];
    return (target, ...given) => Reflect.apply(real, target, given);
  };
  const idOf = getter(Element, "id");
  const nameOf = getter(Element, "localName");
  const shadowOf = getter(Element, "shadowRoot");
  const hostOf = getter(ShadowRoot, "host");
  const parentOf = getter(Node, "parentElement");
  const textOf = getter(Node, "textContent");
  const previousOf = getter(Element, "previousElementSibling");
  const attribute = method(Element, "getAttribute");
  const attributes = method(Element, "getAttributeNames");
  const rootOf = method(Node, "getRootNode");
  const rectOf = method(Element, "getBoundingClientRect");
  const closest = method(Element, "closest");
  const queryDocument = method(Document, "querySelectorAll");
  const queryShadow = method(DocumentFragment, "querySelectorAll");
  const query = (root, selector) => {
    try {
      return queryDocument(root, selector);
    } catch {
      return queryShadow(root, selector);
    }
  };
  const host = (root) => {
    try {
      return hostOf(root);
    } catch {
      return null; // a document has none
    }
  };
  const cut = (text, most) => {
    const flat = String(text ?? "").slice(0, most * 8).toWellFormed().replace(/\s+/g, " ").trim();
    return flat.length > most ? `${flat.slice(0, most - 1)}…` : flat;
  };

  const LONGEST_NAME = 100;
  const DEEPEST = 12;
  const WIDEST = 5000;
  const isOnly = (root, selector) => query(root, selector).length === 1;
  const named = (element, root) => {
    const id = idOf(element);
    if (id && id.length <= LONGEST_NAME) {
      const selector = `#${CSS.escape(id)}`;
      if (isOnly(root, selector)) return selector;
    }
    const test = attribute(element, "data-testid");
    if (test && test.length <= LONGEST_NAME) {
      const selector = `[data-testid="${CSS.escape(test)}"]`;
      if (isOnly(root, selector)) return selector;
    }
    return "";
  };
  const numbered = (element) => {
    const name = nameOf(element);
    let number = 1;
    for (let one = previousOf(element); one && number < WIDEST; one = previousOf(one))
      if (nameOf(one) === name) number += 1;
    return `${CSS.escape(name)}:nth-of-type(${number})`;
  };
  const step = (element) => {
    const name = nameOf(element);
    return ["html", "head", "body"].includes(name) ? name : numbered(element);
  };
  const within = (element, root) => {
    const steps = [];
    for (let one = element; one && steps.length < DEEPEST; one = parentOf(one)) {
      const name = named(one, root);
      steps.unshift(name || step(one));
      if (name) break;
    }
    return steps.join(" > ");
  };
  // Through an open shadow root as Puppeteer writes it: `host >>> inner`.
  const selector = (element) => {
    const root = rootOf(element);
    const outer = host(root);
    return outer ? `${selector(outer)} >>> ${within(element, root)}` : within(element, root);
  };
  const snippet = (element) => {
    const shown = attributes(element).slice(0, 8).map((name) => {
      return ` ${cut(name, 40)}="${cut(attribute(element, name), 80)}"`;
    });
    return cut(`<${nameOf(element)}${shown.join("")}>`, 240);
  };
  const label = (element) => {
    if (["html", "head", "body"].includes(nameOf(element))) return "";
    const inner = () => Array.from(method(Element, "querySelectorAll")(element, "img[alt]"), (one) =>
      attribute(one, "alt")).join(" ");
    return cut(attribute(element, "aria-label"), 80) || cut(textOf(element), 80)
      || cut(attribute(element, "alt"), 80) || cut(attribute(element, "title"), 80)
      || cut(inner(), 80);
  };
  const described = (element) => ({
    selector: selector(element),
    snippet: snippet(element),
    label: label(element),
  });
  const find = (path) => {
    let root = document;
    let found = null;
    for (const part of path.split(" >>> ")) {
      found = root ? query(root, part)[0] : null;
      root = found ? shadowOf(found) : null;
    }
    return found;
  };
  globalThis.mergegate = {
    attribute, closest, cut, described, find, idOf, nameOf, query, rectOf, selector, shadowOf,
  };
})();
