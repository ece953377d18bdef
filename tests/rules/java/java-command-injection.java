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
}
