// Go down the page a window at a time, no further than `most` pixels, and back to the top; says
// whether there is more.
async (most) => {
  const pause = () => new Promise((done) => {
    setTimeout(done, 100); // a page that is not drawn has no frames
    requestAnimationFrame(() => setTimeout(done));
  });
  const down = (top) => scrollTo({ top, left: 0, behavior: "instant" });
  const root = Reflect.get(Document.prototype, "documentElement", document);
  const end = () => Math.min(root.scrollHeight, most) - innerHeight;
  for (let top = 0; top < end();) {
    top = Math.min(top + innerHeight, end());
    down(top);
    await pause();
  }
  down(0);
  await pause();
  return root.scrollHeight > most;
}
