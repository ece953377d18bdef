package org.example.json;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.jsontype.*;

class Mappers {
    ObjectMapper old() {
        ObjectMapper mapper = new ObjectMapper();
        // ruleid: java-jackson-default-typing
        mapper.enableDefaultTyping();
        return mapper;
    }

    ObjectMapper lax() {
        ObjectMapper mapper = new ObjectMapper();
        // ruleid: java-jackson-default-typing
        mapper.activateDefaultTyping(LaissezFaireSubTypeValidator.instance, ObjectMapper.DefaultTyping.NON_FINAL);
        return mapper;
    }

    ObjectMapper limited() {
        ObjectMapper mapper = new ObjectMapper();
        PolymorphicTypeValidator own = BasicPolymorphicTypeValidator.builder().allowIfSubType("org.example.").build();
        // ok: java-jackson-default-typing
        mapper.activateDefaultTyping(own, ObjectMapper.DefaultTyping.NON_FINAL);
        return mapper;
    }

    ObjectMapper plain() {
        // ok: java-jackson-default-typing
        return new ObjectMapper().findAndRegisterModules();
    }
}
