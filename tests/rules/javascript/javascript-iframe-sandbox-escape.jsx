export function Preview({ url }) {
  return (
    <div>
      {/* ruleid: javascript-iframe-sandbox-escape */}
      <iframe src={url} sandbox="allow-scripts allow-same-origin" />
      {/* ruleid: javascript-iframe-sandbox-escape */}
      <iframe sandbox="allow-same-origin allow-forms allow-scripts" srcDoc={url} />
      {/* ok: javascript-iframe-sandbox-escape */}
      <iframe src={url} sandbox="allow-scripts" />
      {/* ok: javascript-iframe-sandbox-escape */}
      <iframe src="https://player.example.org/1" sandbox="allow-scripts allow-same-origin" />
    </div>
  );
}
