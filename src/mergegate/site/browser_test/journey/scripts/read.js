// Links and anchors of the rendered page: of the document, its open shadow roots and the frames
// that are of the same origin. `most` bounds the links, `mostAnchors` the anchors.
(most, mostAnchors) => {
  const { attribute, cut, described, idOf, query, shadowOf } = mergegate;
  const links = [];
  const anchors = new Set();
  let seen = 0;
  let elements = 0;
  const inner = (frame) => {
    try {
      return frame.contentDocument;
    } catch {
      return null;
    }
  };
  const take = (element, main) => {
    seen += 1;
    if (links.length >= most) return;
    const url = element.href;
    if (typeof url !== "string" || url === "" || url.length > 8000) return; // SVG's is no text
    links.push({
      ...described(element),
      url,
      href: attribute(element, "href"),
      download: attribute(element, "download") !== null,
      main,
    });
  };
  const anchor = (name) => {
    if (name && name.length <= 500 && anchors.size < mostAnchors) anchors.add(name.toWellFormed());
  };
  const walk = (root, main, depth) => {
    for (const element of query(root, "*")) {
      elements += 1;
      anchor(main ? idOf(element) : "");
      if (element instanceof HTMLAnchorElement || element instanceof HTMLAreaElement) {
        if (attribute(element, "href") !== null) take(element, main);
        if (main) anchor(attribute(element, "name"));
      }
      if (depth < 8) {
        const shadow = shadowOf(element);
        if (shadow) walk(shadow, false, depth + 1);
      }
    }
    if (depth < 8)
      for (const frame of query(root, "iframe, frame")) {
        const there = inner(frame);
        if (there) frames.push([there, depth + 1]);
      }
  };
  const frames = [];
  walk(document, true, 0);
  for (let at = 0; at < frames.length && at < 50; at += 1) {
    const [there, depth] = frames[at];
    for (const element of query(there, "a[href], area[href]")) take(element, false);
    for (const frame of depth < 8 ? query(there, "iframe, frame") : []) {
      const deeper = inner(frame);
      if (deeper) frames.push([deeper, depth + 1]);
    }
  }
  const load = performance.getEntriesByType("navigation")[0];
  return {
    links,
    seen,
    elements,
    anchors: [...anchors],
    anchorsCut: anchors.size >= mostAnchors,
    frames: frames.length,
    title: cut(query(document, "title")[0]?.textContent, 300),
    loadMs: Math.round(load?.loadEventEnd || 0),
  };
}
