package org.example.store;

import java.io.File;
import java.nio.file.*;
import java.nio.file.attribute.PosixFilePermissions;

class Store {
    void open(File file, Path path) throws IOException {
        // ruleid: java-world-writable-file
        file.setWritable(true, false);
        // ruleid: java-world-writable-file
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
        // ok: java-world-writable-file
        file.setWritable(true, true);
        // ok: java-world-writable-file
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-r--r--"));
        // ok: java-world-writable-file
        file.setWritable(false, false);
        if (rights.contains(PosixFilePermission.OTHERS_WRITE)
                // ok: java-world-writable-file
                && !file.setWritable(true, false)) {
            throw new IOException("rights");
        }
    }
}
