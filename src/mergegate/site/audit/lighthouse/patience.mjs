// How long anything is waited for.

/** What the promise comes to; null when that takes longer. */
export function within(milliseconds, promise) {
  let alarm;
  const late = new Promise(done => {
    alarm = setTimeout(done, milliseconds, null);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(alarm));
}
