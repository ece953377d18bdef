package org.example.login;

import javax.servlet.http.*;
import org.springframework.web.bind.annotation.*;

class LoginServlet extends HttpServlet {
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        // ruleid: java-open-redirect
        response.sendRedirect(request.getParameter("next"));

        // ok: java-open-redirect
        response.sendRedirect("/orders/" + request.getParameter("id"));
        // ok: java-open-redirect
        response.sendRedirect(request.getContextPath() + "/home");

        String target = request.getParameter("target");
        if (!target.startsWith("/account/")) {
            target = "/";
        }
        // ok: java-open-redirect
        response.sendRedirect(target);
    }
}

@Controller
class LogoutController {
    @GetMapping("/logout")
    public String logout(@RequestParam("to") String to) {
        // ruleid: java-open-redirect
        return "redirect:" + to;
    }

    @GetMapping("/leave")
    public RedirectView leave(@RequestParam String to) {
        // ruleid: java-open-redirect
        return new RedirectView(to);
    }

    @GetMapping("/order")
    public String order(@RequestParam String id) {
        // ok: java-open-redirect
        return "redirect:/orders/" + id;
    }
}
