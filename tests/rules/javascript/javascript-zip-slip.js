const fs = require('fs');
const path = require('path');
const unzipper = require('unzipper');

fs.createReadStream('in.zip').pipe(unzipper.Parse()).on('entry', (entry) => {
  // ruleid: javascript-zip-slip
  entry.pipe(fs.createWriteStream(path.join(target, entry.path)));
});

function extract(zip) {
  for (const entry of zip.getEntries()) {
    const file = target + '/' + entry.entryName;
    // ruleid: javascript-zip-slip
    fs.writeFileSync(file, entry.getData());
  }
}

function safe(zip) {
  for (const entry of zip.getEntries()) {
    const file = path.resolve(target, entry.entryName);
    if (!file.startsWith(target + path.sep)) throw new Error('outside');
    // ok: javascript-zip-slip
    fs.writeFileSync(file, entry.getData());
    // ok: javascript-zip-slip
    fs.writeFileSync(path.join(target, path.basename(entry.entryName)), entry.getData());
  }
}
