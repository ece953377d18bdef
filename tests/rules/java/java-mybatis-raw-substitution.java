package org.example.shop;

import org.apache.ibatis.annotations.*;

interface CustomerMapper {
    // ruleid: java-mybatis-raw-substitution
    @Select("SELECT * FROM customer WHERE name = '${name}'")
    List<Customer> byName(@Param("name") String name);

    // ruleid: java-mybatis-raw-substitution
    @Delete("DELETE FROM customer WHERE id IN (${ids})")
    int remove(@Param("ids") String ids);

    // ok: java-mybatis-raw-substitution
    @Select("SELECT * FROM customer WHERE name = #{name}")
    List<Customer> bound(@Param("name") String name);

    // ok: java-mybatis-raw-substitution
    @Value("${customer.page-size}")
    int pageSize = 20;
}
