package org.example.shop;

import java.sql.*;

class OrderStore {
    private static final String STATUS = "open";
    private Connection connection;

    ResultSet byCustomer(String customer) throws SQLException {
        Statement statement = connection.createStatement();
        // ruleid: java-sql-string-building
        return statement.executeQuery("SELECT * FROM orders WHERE customer = '" + customer + "'");
    }

    List<Order> byCity(String city) {
        // ruleid: java-sql-string-building
        return entities.createNativeQuery(String.format("SELECT * FROM orders WHERE city = '%s'", city)).getResultList();
    }

    ResultSet later(String id) throws SQLException {
        String sql = "SELECT * FROM orders WHERE id = " + id;
        // ruleid: java-sql-string-building
        return connection.createStatement().executeQuery(sql);
    }

    ResultSet number(int id) throws SQLException {
        // ok: java-sql-string-building
        return connection.createStatement().executeQuery("SELECT * FROM orders WHERE id = " + id);
    }

    PreparedStatement bound(String customer) throws SQLException {
        // ok: java-sql-string-building
        return connection.prepareStatement("SELECT * FROM orders WHERE customer = ?");
    }

    ResultSet constant() throws SQLException {
        // ok: java-sql-string-building
        return connection.createStatement().executeQuery("SELECT * FROM orders WHERE status = '" + STATUS + "'");
    }

    ResultSet paged(int offset) throws SQLException {
        // ok: java-sql-string-building
        return connection.createStatement().executeQuery("SELECT * FROM orders OFFSET " + offset);
    }
}
