package org.example.pages;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.*;
import org.springframework.web.util.HtmlUtils;

@RestController
class Pages {
    @GetMapping("/hello")
    String hello(@RequestParam String name) {
        // ruleid: java-xss-response-writer
        return "<h1>Hello " + name + "</h1>";
    }

    @GetMapping("/entity")
    ResponseEntity<String> entity(@RequestParam String name) {
        // ruleid: java-xss-response-writer
        return ResponseEntity.ok().header("Content-Type", "text/html").body("<p>" + name + "</p>");
    }

    @GetMapping("/escaped")
    String escaped(@RequestParam String name) {
        // ok: java-xss-response-writer
        return "<h1>Hello " + HtmlUtils.htmlEscape(name) + "</h1>";
    }

    @GetMapping(value = "/xml", produces = "application/xml")
    String xml(@RequestParam String name) {
        // ok: java-xss-response-writer
        return "<name>" + name + "</name>";
    }

    @GetMapping("/view")
    String view(@RequestParam String name) {
        // ok: java-xss-response-writer
        return "pages/" + name;
    }
}
