export const vite = {
  // ruleid: javascript-dev-server-any-host
  server: { allowedHosts: true },
};
// ruleid: javascript-dev-server-any-host
export const webpack = { mode: 'development', devServer: { allowedHosts: 'all' } };

export const safe = {
  // ok: javascript-dev-server-any-host
  server: { allowedHosts: ['dev.example.org'] },
};
// ok: javascript-dev-server-any-host
export const other = { devServer: { port: 8080 } };
