// ruleid: javascript-electron-web-security
const main = new BrowserWindow({ webPreferences: { webSecurity: false } });
// ruleid: javascript-electron-web-security
const view = new BrowserView({ webPreferences: { allowRunningInsecureContent: true } });

// ok: javascript-electron-web-security
const safe = new BrowserWindow({ webPreferences: { webSecurity: true } });
// ok: javascript-electron-web-security
const plain = new BrowserWindow({ webPreferences: { preload } });
