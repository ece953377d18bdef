window.addEventListener(
  'message',
  // ruleid: javascript-message-origin-unchecked
  (event) => {
    apply(event.data);
  },
);
// ruleid: javascript-message-origin-unchecked
window.onmessage = function (event) {
  run(event.data.command);
};

// ok: javascript-message-origin-unchecked
window.addEventListener('message', (event) => {
  if (event.origin !== 'https://app.example.org') return;
  apply(event.data);
});
// ok: javascript-message-origin-unchecked
worker.addEventListener('message', (event) => {
  apply(event.data);
});
// ok: javascript-message-origin-unchecked
window.addEventListener('click', (event) => {
  apply(event.data);
});
