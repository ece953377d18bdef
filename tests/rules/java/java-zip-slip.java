package org.example.archive;

import java.io.*;
import java.nio.file.*;
import java.util.zip.*;

class Unpacker {
    void unpack(ZipInputStream zip, File target) throws IOException {
        ZipEntry entry;
        while ((entry = zip.getNextEntry()) != null) {
            File file = new File(target, entry.getName());
            // ruleid: java-zip-slip
            try (OutputStream out = new FileOutputStream(file)) {
                zip.transferTo(out);
            }
        }
    }

    void unpackPath(ZipFile zip, Path target) throws IOException {
        for (ZipEntry entry : Collections.list(zip.entries())) {
            String name = entry.getName();
            // ruleid: java-zip-slip
            Files.copy(zip.getInputStream(entry), target.resolve(name));
        }
    }

    void checked(ZipInputStream zip, Path target) throws IOException {
        ZipEntry entry = zip.getNextEntry();
        Path file = target.resolve(entry.getName()).normalize();
        if (!file.startsWith(target)) {
            throw new IOException("entry leaves the folder");
        }
        // ok: java-zip-slip
        Files.copy(zip, file);
    }

    void canonical(ZipInputStream zip, File target) throws IOException {
        ZipEntry entry = zip.getNextEntry();
        File file = new File(target, entry.getName());
        if (!file.getCanonicalPath().startsWith(target.getCanonicalPath() + File.separator)) {
            throw new IOException("entry leaves the folder");
        }
        // ok: java-zip-slip
        new FileOutputStream(file);
    }

    void derived(ZipInputStream zip, File target) throws IOException {
        ZipEntry entry = zip.getNextEntry();
        File place = new File(target, entry.getName());
        String canonical = place.getCanonicalPath();
        if (!canonical.startsWith(target.getCanonicalPath() + File.separator)) {
            throw new IOException("entry leaves the folder");
        }
        // ok: java-zip-slip
        new FileOutputStream(new File(target, entry.getName()));
    }

    void refused(ZipInputStream zip, File target) throws IOException {
        ZipEntry entry = zip.getNextEntry();
        if (entry.getName().contains("..")) {
            throw new IOException("entry leaves the folder");
        }
        // ok: java-zip-slip
        new FileOutputStream(new File(target, entry.getName()));
    }

    void flat(ZipInputStream zip, File target) throws IOException {
        ZipEntry entry = zip.getNextEntry();
        // ok: java-zip-slip
        new FileOutputStream(new File(target, new File(entry.getName()).getName()));
    }
}
