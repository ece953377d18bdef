package org.example.login;

import com.auth0.jwt.JWT;
import com.auth0.jwt.algorithms.Algorithm;
import io.jsonwebtoken.Jwts;

class Tokens {
    void read(String token, SecretKey key, RSAPublicKey publicKey) {
        // ruleid: java-jwt-unsigned
        JWT.require(Algorithm.none()).build().verify(token);
        // ruleid: java-jwt-unsigned
        Jwts.parser().build().parseUnsecuredClaims(token);
        // ruleid: java-jwt-unsigned
        Jwts.parserBuilder().setSigningKey(key).build().parseClaimsJwt(token);

        // ok: java-jwt-unsigned
        JWT.require(Algorithm.RSA256(publicKey)).build().verify(token);
        // ok: java-jwt-unsigned
        Jwts.parser().verifyWith(key).build().parseSignedClaims(token);
        // ok: java-jwt-unsigned
        Jwts.parserBuilder().setSigningKey(key).build().parseClaimsJws(token);
    }
}
