// Draw a box round each element that can be seen above `height`; says which selectors got one.
(selectors, height) => {
  const { find, rectOf } = mergegate;
  const layer = document.createElement("mergegate-boxes");
  const style = (element, rules) => {
    for (const [name, value] of Object.entries(rules))
      element.style.setProperty(name, value, "important");
  };
  style(layer, { position: "absolute", top: "0", left: "0", width: "0", height: "0",
    display: "block", "z-index": "2147483647", "pointer-events": "none" });
  const inside = layer.attachShadow({ mode: "closed" });
  const drawn = [];
  for (const selector of selectors) {
    const element = find(selector);
    const place = element && rectOf(element);
    if (!place || place.width < 1 || place.height < 1) continue;
    if (place.top + scrollY >= height || place.bottom + scrollY <= 0) continue;
    if (element.checkVisibility?.({ visibilityProperty: true }) === false) continue;
    const box = document.createElement("div");
    style(box, { position: "absolute", "box-sizing": "border-box", "pointer-events": "none",
      left: `${place.left + scrollX - 3}px`, top: `${place.top + scrollY - 3}px`,
      width: `${place.width + 6}px`, height: `${place.height + 6}px`,
      border: "3px solid #d40000", outline: "1px solid #fff", "border-radius": "3px" });
    inside.append(box);
    drawn.push(selector);
  }
  Reflect.get(Document.prototype, "documentElement", document).append(layer);
  globalThis.boxes = layer;
  return drawn;
}
