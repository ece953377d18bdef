package org.example.files;

import java.io.*;
import java.nio.file.*;
import javax.servlet.http.*;
import org.springframework.web.bind.annotation.*;
import org.springframework.web.multipart.MultipartFile;

class DownloadServlet extends HttpServlet {
    private static final Path BASE = Paths.get("/srv/reports");

    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = request.getParameter("report");
        // ruleid: java-path-traversal
        InputStream report = new FileInputStream("/srv/reports/" + name);

        File file = new File("/srv/reports", request.getParameter("file"));
        // ruleid: java-path-traversal
        FileReader reader = new FileReader(file);

        // ruleid: java-path-traversal
        IOUtils.copy(new FileInputStream(new File("/srv/reports", name)), response.getOutputStream());

        Path safe = BASE.resolve(request.getParameter("safe")).normalize();
        if (!safe.startsWith(BASE)) {
            throw new FileNotFoundException();
        }
        // ok: java-path-traversal
        Files.readAllBytes(safe);

        // ok: java-path-traversal
        Files.readAllBytes(Paths.get("/srv/reports", FilenameUtils.getName(request.getParameter("base"))));

        // ok: java-path-traversal
        Files.readAllBytes(BASE.resolve("index.html"));

        // ruleid: java-path-traversal
        java.io.FileOutputStream full = new java.io.FileOutputStream(new java.io.File("/srv/reports", name));

        File checked = new File("/srv/reports", request.getParameter("checked"));
        if (!checked.getCanonicalPath().startsWith("/srv/reports/")) {
            throw new FileNotFoundException();
        }
        // ok: java-path-traversal
        new FileInputStream(checked);
    }
}

@RestController
class UploadController {
    @PostMapping("/upload")
    public void upload(@RequestParam("file") MultipartFile file) throws IOException {
        Path target = Paths.get("/srv/uploads").resolve(file.getOriginalFilename());
        // ruleid: java-path-traversal
        Files.copy(file.getInputStream(), target);
    }

    @PostMapping("/avatars/{id}")
    public void avatar(@PathVariable UUID id, @RequestParam("file") MultipartFile file) throws IOException {
        // ok: java-path-traversal
        Files.copy(file.getInputStream(), Paths.get("/srv/avatars").resolve(id + ".png"));
    }
}
