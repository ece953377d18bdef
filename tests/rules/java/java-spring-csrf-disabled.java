package org.example.security;

import org.springframework.security.config.annotation.web.builders.HttpSecurity;

class SecurityConfiguration {
    SecurityFilterChain chained(HttpSecurity http) throws Exception {
        // ruleid: java-spring-csrf-disabled
        http.csrf().disable().authorizeRequests().anyRequest().authenticated().and().formLogin();
        return http.build();
    }

    SecurityFilterChain lambda(HttpSecurity http) throws Exception {
        // ruleid: java-spring-csrf-disabled
        http.csrf(csrf -> csrf.disable());
        return http.build();
    }

    SecurityFilterChain partly(HttpSecurity http) throws Exception {
        // ok: java-spring-csrf-disabled
        http.csrf(csrf -> csrf.ignoringRequestMatchers("/hooks/**"));
        return http.build();
    }

    SecurityFilterChain stateless(HttpSecurity http) throws Exception {
        // ok: java-spring-csrf-disabled
        http.csrf().disable();
        http.sessionManagement().sessionCreationPolicy(SessionCreationPolicy.STATELESS);
        return http.build();
    }
}
