export function Links({ url }) {
  return (
    <nav>
      {/* ruleid: javascript-target-blank-without-rel */}
      <a href={url} target="_blank">External</a>
      {/* ruleid: javascript-target-blank-without-rel */}
      <a target="_blank" href="https://example.org">Example</a>
      {/* ok: javascript-target-blank-without-rel */}
      <a href={url} target="_blank" rel="noopener noreferrer">Safe</a>
      {/* ok: javascript-target-blank-without-rel */}
      <a href={url}>Same window</a>
      {/* ok: javascript-target-blank-without-rel */}
      <a href="/help" target="_blank">Own page</a>
    </nav>
  );
}
