// ruleid: javascript-electron-context-isolation
const main = new BrowserWindow({ webPreferences: { contextIsolation: false } });
const view = new BrowserView({
  webPreferences: {
    preload,
    // ruleid: javascript-electron-context-isolation
    contextIsolation: false,
  },
});

// ok: javascript-electron-context-isolation
const safe = new BrowserWindow({ webPreferences: { contextIsolation: true } });
// ok: javascript-electron-context-isolation
const plain = new BrowserWindow({ webPreferences: { preload } });
