package org.example.web;

import javax.servlet.http.*;

class Rates {
    // ruleid: java-cors-any-origin
    @CrossOrigin(origins = "*")
    public List<Rate> rates() {
        return store.rates();
    }

    // ok: java-cors-any-origin
    @CrossOrigin(origins = "https://app.example.org")
    public List<Rate> own() {
        return store.own();
    }

    void header(HttpServletResponse response) {
        // ruleid: java-cors-any-origin
        response.setHeader("Access-Control-Allow-Origin", "*");
        // ok: java-cors-any-origin
        response.setHeader("Access-Control-Allow-Origin", "https://app.example.org");
    }
}
