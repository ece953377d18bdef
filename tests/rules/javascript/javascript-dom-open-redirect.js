const query = new URLSearchParams(window.location.search);
// ruleid: javascript-dom-open-redirect
window.location.href = query.get('next');

function leave() {
  const target = new URLSearchParams(location.search).get('return') || '/';
  // ruleid: javascript-dom-open-redirect
  location.replace(target);
}

function safe() {
  // ok: javascript-dom-open-redirect
  location.href = '/account?tab=' + query.get('tab');
  const next = query.get('next');
  if (!next.startsWith('/app/')) return;
  // ok: javascript-dom-open-redirect
  location.assign(next);
  // ok: javascript-dom-open-redirect
  window.location.href = '/home';
}
