app.get('/shot', async (req, res) => {
  const page = await browser.newPage();
  // ruleid: javascript-browser-automation-injection
  await page.goto(req.query.url);
  // ruleid: javascript-browser-automation-injection
  await page.evaluate(`document.title = "${req.query.title}"`);
});

app.get('/safe', async (req, res) => {
  const page = await browser.newPage();
  // ok: javascript-browser-automation-injection
  await page.goto(`https://www.example.org/item/${req.query.id}`);
  // ok: javascript-browser-automation-injection
  await page.evaluate((title) => { document.title = title; }, req.query.title);
});
