package org.example.shop;

import java.sql.*;
import javax.persistence.EntityManager;
import javax.servlet.http.*;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.*;

class OrderServlet extends HttpServlet {
    private Connection connection;
    private Statement shared;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws SQLException {
        String customer = request.getParameter("customer");
        Statement statement = connection.createStatement();
        // ruleid: java-sql-injection
        ResultSet orders = statement.executeQuery("SELECT * FROM orders WHERE customer = '" + customer + "'");

        StringBuilder text = new StringBuilder("DELETE FROM orders WHERE id = ");
        text.append(request.getParameter("id"));
        // ruleid: java-sql-injection
        shared.executeUpdate(text.toString());

        PreparedStatement prepared = connection.prepareStatement("SELECT * FROM orders WHERE customer = ?");
        prepared.setString(1, customer);
        // ok: java-sql-injection
        prepared.executeQuery();

        int page = Integer.parseInt(request.getParameter("page"));
        // ok: java-sql-injection
        statement.executeQuery("SELECT * FROM orders OFFSET " + page);

        String column = request.getParameter("sort");
        if (!SORTABLE.contains(column)) {
            throw new IllegalArgumentException("sort");
        }
        // ok: java-sql-injection
        statement.executeQuery("SELECT * FROM orders ORDER BY " + column);
    }
}

@RestController
class CustomerController {
    private final JdbcTemplate jdbc;
    private final EntityManager entities;

    @GetMapping("/customers")
    public List<Customer> find(@RequestParam(value = "name", required = false) String name) {
        // ruleid: java-sql-injection
        return jdbc.query(String.format("SELECT * FROM customer WHERE name LIKE '%%%s%%'", name.trim()), MAPPER);
    }

    @PostMapping("/customers/search")
    public List<Customer> search(@RequestBody Criteria criteria) throws SearchException {
        // ruleid: java-sql-injection
        return entities.createNativeQuery("SELECT * FROM customer WHERE city = '" + criteria.getCity() + "'").getResultList();
    }

    @GetMapping("/customers/by-city")
    public List<Customer> byCity(@RequestParam String city) {
        // ok: java-sql-injection
        return jdbc.query("SELECT * FROM customer WHERE city = ?", MAPPER, city);
    }

    @GetMapping("/customers/{id}")
    public Customer one(@PathVariable Long id) {
        // ok: java-sql-injection
        return jdbc.queryForObject("SELECT * FROM customer WHERE id = " + id, MAPPER);
    }

    @GetMapping("/customers/table")
    public List<Customer> table(@RequestParam String tenant) {
        String table = tenants.get(tenant);
        // ok: java-sql-injection
        return jdbc.query("SELECT * FROM " + table, MAPPER);
    }
}
