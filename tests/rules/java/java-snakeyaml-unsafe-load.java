package org.example.config;

import javax.servlet.http.*;
import org.springframework.web.bind.annotation.*;
import org.yaml.snakeyaml.*;
import org.yaml.snakeyaml.constructor.SafeConstructor;

@RestController
class ConfigController {
    @PostMapping("/config")
    public Object config(@RequestBody String text) {
        Yaml yaml = new Yaml();
        // ruleid: java-snakeyaml-unsafe-load
        return yaml.load(text);
    }

    @PostMapping("/safe")
    public Object safe(@RequestBody String text) {
        Yaml yaml = new Yaml(new SafeConstructor(new LoaderOptions()));
        // ok: java-snakeyaml-unsafe-load
        return yaml.load(text);
    }

    @GetMapping("/defaults")
    public Object defaults() {
        // ok: java-snakeyaml-unsafe-load
        return new Yaml().load(getClass().getResourceAsStream("/defaults.yaml"));
    }

    void upload(HttpServletRequest request) throws IOException {
        // ruleid: java-snakeyaml-unsafe-load
        new Yaml().loadAs(request.getInputStream(), Settings.class);
    }
}
