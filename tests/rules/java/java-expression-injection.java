package org.example.rules;

import javax.servlet.http.*;
import org.springframework.expression.*;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.web.bind.annotation.*;

@RestController
class FilterController {
    private final ExpressionParser parser = new SpelExpressionParser();

    @GetMapping("/filter")
    public Object filter(@RequestParam String expression) {
        // ruleid: java-expression-injection
        return parser.parseExpression(expression).getValue();
    }

    @GetMapping("/length")
    public Object length(@RequestParam String name) {
        EvaluationContext context = SimpleEvaluationContext.forReadOnlyDataBinding().build();
        context.setVariable("name", name);
        // ok: java-expression-injection
        return parser.parseExpression("#name.length()").getValue(context);
    }

    void ognl(HttpServletRequest request, Object root) throws OgnlException {
        // ruleid: java-expression-injection
        Ognl.getValue(request.getParameter("path"), root);
        // ok: java-expression-injection
        Ognl.getValue("address.city", root);
    }
}
