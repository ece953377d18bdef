app.post('/forgot', async (req, res) => {
  // ruleid: javascript-host-header-link
  const link = `https://${req.headers.host}/reset/${token}`;
  // ruleid: javascript-host-header-link
  const text = 'Open https://' + req.headers.host + '/confirm?t=' + token;
  // ok: javascript-host-header-link
  const safe = `${process.env.PUBLIC_URL}/reset/${token}`;
  // ok: javascript-host-header-link
  const self = `https://${req.headers.host}/items/${id}`;
});
