package org.example.shop;

import jakarta.servlet.http.HttpServletRequest;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

class Orders {
    private final Connection connection;

    Orders(Connection connection) {
        this.connection = connection;
    }

    boolean tried(HttpServletRequest request) {
        String name = request.getParameter("name");
        String city = request.getParameter("city");
        try (Statement statement = connection.createStatement()) {
            // ruleid: java-sql-injection
            try (ResultSet found = statement.executeQuery("SELECT id FROM orders WHERE name = '" + name + "'")) {
                return found.next();
            }
        } catch (SQLException e) {
            throw new IllegalStateException(city, e);
        }
    }

    int later(HttpServletRequest request) throws SQLException {
        String name = request.getParameter("name");
        Statement statement = connection.createStatement();
        String sql = "UPDATE orders SET seen = 1"
                + " WHERE name LIKE '%" + name + "%' AND city = 'Graz'";
        System.out.println(sql);
        // ruleid: java-sql-injection
        int changed = statement.executeUpdate(sql);
        statement.close();
        return changed;
    }

    ResultSet older(HttpServletRequest request) throws SQLException {
        String sql = "SELECT * FROM orders WHERE name = '" + request.getParameter("name") + "'";
        Statement statement = null;
        ResultSet found = null;
        try {
            statement = connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY);
            // ruleid: java-sql-injection
            found = statement.executeQuery(sql);
        } finally {
            if (statement != null) {
                statement.close();
            }
        }
        return found;
    }

    boolean prepared(HttpServletRequest request) throws SQLException {
        // ruleid: java-sql-injection
        try (var statement = connection.prepareStatement("SELECT 1 FROM orders WHERE name = '" + request.getParameter("name") + "'")) {
            return statement.execute();
        }
    }

    void twice(HttpServletRequest request) throws SQLException {
        String id = request.getParameter("id");
        // ruleid: java-sql-injection
        connection.createStatement().executeUpdate("DELETE FROM orders WHERE id = " + id);
        // ruleid: java-sql-injection
        connection.createStatement().executeUpdate("DELETE FROM lines WHERE order_id = " + id);
    }

    ResultSet sorted(HttpServletRequest request) throws SQLException {
        // A column is no value: nothing can be bound to it.
        // ruleid: java-sql-injection
        return connection.createStatement().executeQuery("SELECT * FROM orders ORDER BY " + request.getParameter("by"));
    }

    int shared(HttpServletRequest request) throws SQLException {
        Statement statement = connection.createStatement();
        statement.executeUpdate("DELETE FROM seen");
        // ruleid: java-sql-injection
        return statement.executeUpdate("DELETE FROM orders WHERE name = '" + request.getParameter("name") + "'");
    }
}
