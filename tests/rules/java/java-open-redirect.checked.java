import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.util.Set;

class Redirects {
  private static final Set<String> HOSTS = Set.of("shop.example.com");

  void host(HttpServletRequest request, HttpServletResponse response) throws IOException {
    URI address = URI.create(request.getParameter("to"));
    if (!HOSTS.contains(address.getHost())) {
      response.sendError(400);
      return;
    }
    // ok: java-open-redirect
    response.sendRedirect(address.toString());
  }

  void anyHost(HttpServletRequest request, HttpServletResponse response) throws IOException {
    URI address = URI.create(request.getParameter("to"));
    if (address.getHost() == null) {
      response.sendError(400);
      return;
    }
    // ruleid: java-open-redirect
    response.sendRedirect(address.toString());
  }
}
