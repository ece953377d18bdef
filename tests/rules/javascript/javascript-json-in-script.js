function page(state) {
  // ruleid: javascript-json-in-script
  const a = `<script>window.STATE = ${JSON.stringify(state)}</script>`;
  // ruleid: javascript-json-in-script
  const b = `<body><script nonce="n">const data = ${JSON.stringify(state)};</script></body>`;
  // ok: javascript-json-in-script
  const c = `<script>window.STATE = ${JSON.stringify(state).replace(/</g, '\\u003c')}</script>`;
  // ok: javascript-json-in-script
  const d = `state = ${JSON.stringify(state)}`;
}
