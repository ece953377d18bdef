package org.example.web;

import org.springframework.web.cors.CorsConfiguration;

class WebConfiguration {
    void registry(CorsRegistry registry) {
        // ruleid: java-cors-any-origin-with-credentials
        registry.addMapping("/**").allowedOriginPatterns("*").allowedMethods("*").allowCredentials(true);
        // ok: java-cors-any-origin-with-credentials
        registry.addMapping("/**").allowedOrigins("https://app.example.org").allowCredentials(true);
        // ok: java-cors-any-origin-with-credentials
        registry.addMapping("/public/**").allowedOriginPatterns("*").allowedMethods("GET");
    }

    void bean() {
        CorsConfiguration cors = new CorsConfiguration();
        // ruleid: java-cors-any-origin-with-credentials
        cors.setAllowCredentials(true);
        cors.addAllowedOriginPattern("*");
    }

    void filter(HttpServletRequest request, HttpServletResponse response) {
        // ruleid: java-cors-any-origin-with-credentials
        response.setHeader("Access-Control-Allow-Origin", request.getHeader("Origin"));
        response.setHeader("Access-Control-Allow-Credentials", "true");
    }
}
