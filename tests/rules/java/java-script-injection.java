package org.example.formula;

import groovy.lang.GroovyShell;
import javax.script.*;
import javax.servlet.http.*;
import org.springframework.web.bind.annotation.*;

@RestController
class FormulaController {
    private final ScriptEngine engine = new ScriptEngineManager().getEngineByName("js");

    @PostMapping("/formula")
    public Object formula(@RequestBody String formula) throws ScriptException {
        // ruleid: java-script-injection
        return engine.eval(formula);
    }

    @PostMapping("/groovy")
    public Object groovy(@RequestBody Job job) {
        GroovyShell shell = new GroovyShell();
        // ruleid: java-script-injection
        return shell.evaluate("def run() { " + job.getBody() + " }");
    }

    @GetMapping("/double")
    public Object twice(@RequestParam String number) throws ScriptException {
        Bindings bindings = engine.createBindings();
        bindings.put("n", number);
        // ok: java-script-injection
        return engine.eval("Number(n) * 2", bindings);
    }

    @GetMapping("/square")
    public Object square(@RequestParam int number) throws ScriptException {
        // ok: java-script-injection
        return engine.eval(number + "*" + number);
    }
}
