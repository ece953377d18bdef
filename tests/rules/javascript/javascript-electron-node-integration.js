const { BrowserWindow } = require('electron');
const main = new BrowserWindow({
  width: 800,
  // ruleid: javascript-electron-node-integration
  webPreferences: { nodeIntegration: true },
});
// ruleid: javascript-electron-node-integration
const other = new BrowserWindow({ webPreferences: { preload, nodeIntegration: true } });

// ok: javascript-electron-node-integration
const safe = new BrowserWindow({ webPreferences: { nodeIntegration: false } });
// ok: javascript-electron-node-integration
const plain = { nodeIntegration: true };
