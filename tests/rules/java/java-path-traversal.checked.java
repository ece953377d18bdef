import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

class Downloads {
  private static final Path ROOT = Path.of("/srv/data");

  @GetMapping("/inside")
  Object inside(@RequestParam String name) throws IOException {
    // ok: java-path-traversal
    return Files.readAllBytes(below(name));
  }

  @GetMapping("/beside")
  Object beside(@RequestParam String name) throws IOException {
    // ruleid: java-path-traversal
    return Files.readAllBytes(joined(name));
  }

  private Path below(String name) throws IOException {
    Path path = ROOT.resolve(name).normalize();
    if (!path.startsWith(ROOT)) {
      throw new IOException("outside");
    }
    return path;
  }

  private Path joined(String name) throws IOException {
    Path path = ROOT.resolve(name);
    if (!Files.exists(path)) {
      throw new IOException("absent");
    }
    return path;
  }
}
