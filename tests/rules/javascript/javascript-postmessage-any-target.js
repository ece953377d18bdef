function report(state, frame) {
  // ruleid: javascript-postmessage-any-target
  window.parent.postMessage({ user: state.user }, '*');
  // ruleid: javascript-postmessage-any-target
  frame.contentWindow.postMessage(state, '*');
  // ok: javascript-postmessage-any-target
  window.parent.postMessage({ user: state.user }, 'https://app.example.org');
  // ok: javascript-postmessage-any-target
  worker.postMessage(state);
  // ok: javascript-postmessage-any-target
  window.parent.postMessage('ready', '*');
}
