function keep(session) {
  // ruleid: javascript-token-in-web-storage
  localStorage.setItem('accessToken', session.token);
  // ruleid: javascript-token-in-web-storage
  window.localStorage.setItem('jwt', session.token);
  // ok: javascript-token-in-web-storage
  localStorage.setItem('theme', 'dark');
  // ok: javascript-token-in-web-storage
  localStorage.removeItem('accessToken');
}
