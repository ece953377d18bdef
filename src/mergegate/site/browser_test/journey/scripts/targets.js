// Where it is safe to click: no link, nothing that sends a form, no word of `words`. At most `most`
// points of what can be seen without scrolling, then one that is nothing at all.
(words, most) => {
  const { attribute, closest, nameOf, query, rectOf } = mergegate;
  const risky = new RegExp(words, "iu");
  const LIVE = "a, area, button, input, select, textarea, label, summary, iframe, video, audio,"
    + " [role=button], [role=link], [role=menuitem], [onclick], [contenteditable], [tabindex]";
  const said = (element) => [
    element.innerText, attribute(element, "aria-label"), attribute(element, "title"),
    attribute(element, "id"), attribute(element, "name"), attribute(element, "class"),
    attribute(element, "value"),
  ].join(" ").slice(0, 2000);
  const middle = (element) => {
    const { left, top, width, height } = rectOf(element);
    return { x: Math.round(left + width / 2), y: Math.round(top + height / 2), width, height };
  };
  const hit = (at) => Reflect.apply(Document.prototype.elementFromPoint, document, [at.x, at.y]);
  const reachable = (element, at) => {
    if (at.width < 2 || at.height < 2 || at.x < 0 || at.y < 0) return false;
    if (at.x >= innerWidth || at.y >= innerHeight) return false;
    const there = hit(at);
    return there && (there === element || element.contains(there));
  };
  const BUTTONS = "summary, button[type=button], [role=tab], [role=switch], [role=button]";
  const FIELDS = "input[type=text], input[type=search], input:not([type]), textarea";
  const safe = (element) => !closest(element, "a[href], [type=submit], [formaction], [inert]")
    && !(nameOf(element) === "button" && attribute(element, "type") !== "button")
    && !element.disabled && !risky.test(said(element));
  const points = (selector, kind, limit) => {
    const found = [];
    for (const element of query(document, selector)) {
      if (found.length >= limit) break;
      const at = middle(element);
      if (reachable(element, at) && safe(element)) found.push({ kind, x: at.x, y: at.y });
    }
    return found;
  };
  const neutral = () => {
    for (let y = innerHeight - 5; y > 0; y -= Math.ceil(innerHeight / 12))
      for (const x of [5, Math.round(innerWidth / 2), innerWidth - 5]) {
        const there = hit({ x, y });
        if (there && !closest(there, LIVE)) return [{ kind: "nothing", x, y }];
      }
    return [];
  };
  return [...points(BUTTONS, "button", most), ...points(FIELDS, "field", 1), ...neutral()];
}
