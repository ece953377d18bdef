package org.example.cache;

import java.io.*;
import java.nio.file.*;

class Cache {
    void store(byte[] bytes, String name) throws IOException {
        // ruleid: java-predictable-temp-file
        OutputStream fixed = new FileOutputStream("/tmp/cache.bin");
        // ruleid: java-predictable-temp-file
        Files.write(Paths.get("/tmp/orders.csv"), bytes);
        // ok: java-predictable-temp-file
        Files.write(Files.createTempFile("orders", ".csv"), bytes);
        // ok: java-predictable-temp-file
        OutputStream own = new FileOutputStream("/var/lib/example/cache.bin");
        // ok: java-predictable-temp-file
        InputStream read = new FileInputStream("/tmp/cache.bin");
    }
}
