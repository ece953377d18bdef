package org.example.mail;

import freemarker.template.*;
import javax.servlet.http.*;
import org.apache.velocity.app.Velocity;
import org.springframework.web.bind.annotation.*;

@RestController
class MailController {
    @PostMapping("/preview")
    public String preview(@RequestBody String body) throws Exception {
        StringWriter out = new StringWriter();
        // ruleid: java-template-injection
        Velocity.evaluate(context, out, "mail", body);
        return out.toString();
    }

    @PostMapping("/greeting")
    public void greeting(@RequestParam String greeting) throws Exception {
        // ruleid: java-template-injection
        Template template = new Template("greeting", new StringReader("Dear " + greeting), configuration);
    }

    @PostMapping("/letter")
    public void letter(@RequestParam String name, Writer out) throws Exception {
        Map<String, Object> model = Map.of("name", name);
        // ok: java-template-injection
        configuration.getTemplate("letter.ftl").process(model, out);
    }

    @PostMapping("/note")
    public void note(@RequestParam String name) throws Exception {
        VelocityContext context = new VelocityContext();
        context.put("name", name);
        // ok: java-template-injection
        Velocity.evaluate(context, new StringWriter(), "note", "Dear $name");
    }
}
