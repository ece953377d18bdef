// Runs with the library when a document begins, in our world; `vitals` there has the last values.
(() => {
  if (self !== top) return;
  globalThis.vitals = {};
  const keep = ({ name, value }) => {
    vitals[name.toLowerCase()] = value;
  };
  const options = { reportAllChanges: true, durationThreshold: 16 };
  for (const name of ["onLCP", "onCLS", "onFCP", "onTTFB", "onINP"]) webVitals[name](keep, options);
})();
