// ruleid: javascript-buffer-no-assert
const a = buffer.readUInt32LE(4, true);
// ruleid: javascript-buffer-no-assert
buffer.writeInt8(7, 0, true);

// ok: javascript-buffer-no-assert
const b = buffer.readUInt32LE(4);
// ok: javascript-buffer-no-assert
buffer.writeInt8(7, 0);
