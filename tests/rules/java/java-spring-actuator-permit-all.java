package org.example.security;

import org.springframework.security.config.annotation.web.builders.HttpSecurity;

class SecurityConfiguration {
    void old(HttpSecurity http) throws Exception {
        // ruleid: java-spring-actuator-permit-all
        http.authorizeRequests().antMatchers("/login", "/actuator/**").permitAll().anyRequest().authenticated();
        // ruleid: java-spring-actuator-permit-all
        http.authorizeHttpRequests(auth -> auth.requestMatchers(EndpointRequest.toAnyEndpoint()).permitAll());
        // ok: java-spring-actuator-permit-all
        http.authorizeRequests().antMatchers("/actuator/health").permitAll();
        // ok: java-spring-actuator-permit-all
        http.authorizeRequests().antMatchers("/actuator/**").hasRole("ADMIN");
    }
}
