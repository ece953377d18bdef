// Runs in our isolated world in every frame before its own scripts, and tells what a policy forbids
// there. A frame with an address of its own has policies of its own, which are not asked about.
if (self === top || /^(about|blob|data):$/.test(location.protocol)) {
  let left = 500;
  addEventListener(
    "securitypolicyviolation",
    (event) => {
      if (!event.isTrusted || left-- <= 0) return;
      const told = [event.disposition, event.effectiveDirective, event.blockedURI];
      const where = [event.sourceFile || "", event.lineNumber || 0, event.sample || ""];
      mergegateTell(JSON.stringify([...told, ...where].map((one) => (one.slice ? one.slice(0, 2000) : one))));
    },
    true,
  );
}
