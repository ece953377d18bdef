package org.example.tools;

import javax.servlet.http.*;
import org.springframework.web.bind.annotation.*;

class PingServlet extends HttpServlet {
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String host = request.getParameter("host");
        // ruleid: java-command-injection
        Process ping = Runtime.getRuntime().exec("ping -c 1 " + host);
        // ruleid: java-command-injection
        new ProcessBuilder("/bin/sh", "-c", "nslookup " + host).start();
        // ruleid: java-command-injection
        Runtime.getRuntime().exec(new String[] {"sh", "-c", "dig " + host});

        // ok: java-command-injection
        Runtime.getRuntime().exec("uptime");
        InetAddress address = InetAddress.getByName("example.org");
        // ok: java-command-injection
        new ProcessBuilder("/bin/ping", "-c", "1", address.getHostAddress()).start();
        int count = Integer.parseInt(request.getParameter("count"));
        // ok: java-command-injection
        new ProcessBuilder("/bin/sh", "-c", "report --rows " + count).start();
    }
}

@RestController
class ConvertController {
    @PostMapping("/convert")
    public void convert(@RequestParam("format") String format) throws IOException {
        List<String> command = new ArrayList<>();
        command.add("sh");
        command.add("-c");
        command.add("convert in.png out." + format);
        // ruleid: java-command-injection
        new ProcessBuilder(command).start();
    }

    @PostMapping("/resize")
    public void resize(@RequestParam("format") String format) throws IOException {
        if (!FORMATS.contains(format)) {
            throw new IllegalArgumentException("format");
        }
        // ok: java-command-injection
        new ProcessBuilder("sh", "-c", "convert in.png out." + format).start();
    }

    @PostMapping("/spelled")
    public void spelled(HttpServletRequest request, WebRequest web) throws IOException {
        // ruleid: java-command-injection
        Runtime.getRuntime().exec("ls " + request.getRequestURI());
        // ruleid: java-command-injection
        Runtime.getRuntime().exec("ls " + web.getParameter("name"));
        // ok: java-command-injection
        Runtime.getRuntime().exec("ls " + request.getLocalName());
    }

    @PostMapping("/checked")
    public void checked(HttpServletRequest request) throws IOException {
        String host = request.getParameter("host");
        // ruleid: java-command-injection
        if (host.contains(host)) Runtime.getRuntime().exec("ping " + host);
        // ruleid: java-command-injection
        if (host.startsWith("")) Runtime.getRuntime().exec("ping " + host);
        // ruleid: java-command-injection
        if (List.of(host).contains(host)) Runtime.getRuntime().exec("ping " + host);
        host.matches("[a-z]+");
        // ruleid: java-command-injection
        Runtime.getRuntime().exec("ping " + host);
        // ruleid: java-command-injection
        Runtime.getRuntime().exec("ping " + HtmlUtils.htmlEscape(host));
    }

    @PostMapping("/known")
    public void known(HttpServletRequest request) throws IOException {
        String host = request.getParameter("host");
        boolean known =
            host.matches("[a-z]+");
        // ok: java-command-injection
        if (known) Runtime.getRuntime().exec("ping " + host);
    }
}
