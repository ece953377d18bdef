const { ipcMain, shell } = require('electron');

ipcMain.on('open', (event, address) => {
  // ruleid: javascript-electron-open-external
  shell.openExternal(address);
});

contents.setWindowOpenHandler(({ url }) => {
  // ruleid: javascript-electron-open-external
  shell.openExternal(url);
  return { action: 'deny' };
});

ipcMain.on('help', (event, address) => {
  // ok: javascript-electron-open-external
  shell.openExternal('https://help.example.org');
  if (!address.startsWith('https://')) return;
  // ok: javascript-electron-open-external
  shell.openExternal(address);
});
