import DOMPurify from "dompurify";

export function show(element) {
  // ok: javascript-dom-xss
  element.innerHTML = DOMPurify.sanitize(location.hash.slice(1));
  // ruleid: javascript-dom-xss
  element.innerHTML = DOMPurify.format(location.hash.slice(1));
}
