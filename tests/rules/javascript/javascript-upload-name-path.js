app.post('/upload', (req, res) => {
  // ruleid: javascript-upload-name-path
  fs.writeFile('uploads/' + req.file.originalname, req.file.buffer, done);
  // ruleid: javascript-upload-name-path
  req.files.photo.mv(path.join(UPLOADS, req.files.photo.name));
});

app.post('/safe', (req, res) => {
  const name = crypto.randomUUID() + path.extname(req.file.originalname);
  // ok: javascript-upload-name-path
  fs.writeFile('uploads/' + name, req.file.buffer, done);
  // ok: javascript-upload-name-path
  fs.writeFile('uploads/latest.png', req.file.buffer, done);
});
