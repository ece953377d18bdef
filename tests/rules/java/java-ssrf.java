package org.example.proxy;

import java.net.*;
import javax.servlet.http.*;
import org.springframework.web.bind.annotation.*;
import org.springframework.web.client.RestTemplate;

class FetchServlet extends HttpServlet {
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String address = request.getParameter("url");
        // ruleid: java-ssrf
        InputStream body = new URL(address).openStream();

        URL url = new URL(request.getParameter("callback"));
        // ruleid: java-ssrf
        HttpURLConnection connection = (HttpURLConnection) url.openConnection();

        // ok: java-ssrf
        new URL("https://status.example.org/health").openStream();

        String city = URLEncoder.encode(request.getParameter("city"), "UTF-8");
        // ok: java-ssrf
        new URL("https://weather.example.org/v1?city=" + city).openStream();
    }
}

@RestController
class PreviewController {
    private final RestTemplate rest = new RestTemplate();

    @GetMapping("/preview")
    public String preview(@RequestParam String link) {
        // ruleid: java-ssrf
        return rest.getForObject(link, String.class);
    }

    @PostMapping("/ping")
    public void ping(@RequestBody Hook hook) throws Exception {
        // ruleid: java-ssrf
        HttpRequest ping = HttpRequest.newBuilder().uri(URI.create("https://" + hook.getHost() + "/ping")).build();
    }

    @GetMapping("/user")
    public String user(@RequestParam String name) {
        // ok: java-ssrf
        return rest.getForObject("https://users.example.org/v1/" + name, String.class);
    }

    @GetMapping("/checked")
    public String checked(@RequestParam String link) {
        if (!hosts.isAllowed(link)) {
            throw new IllegalArgumentException("link");
        }
        // ok: java-ssrf
        return rest.getForObject(link, String.class);
    }
}
