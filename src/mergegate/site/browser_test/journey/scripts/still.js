// Bring the page to the top and to rest: animations ended, fonts there, two frames drawn.
async () => {
  for (const one of document.getAnimations().slice(0, 2000))
    try {
      one.finish();
    } catch {
      one.cancel(); // an endless one has no end to jump to
    }
  scrollTo({ top: 0, left: 0, behavior: "instant" });
  const frame = () => new Promise((done) => {
    setTimeout(done, 200); // a page that is not drawn has no frames
    requestAnimationFrame(() => setTimeout(done));
  });
  await Promise.race([document.fonts.ready, new Promise((done) => setTimeout(done, 1500))]);
  await frame();
  await frame();
}
