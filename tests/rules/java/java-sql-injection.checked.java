import jakarta.validation.constraints.Pattern;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

class Checked {
  enum Sort {
    NAME,
    AGE
  }

  private static final Set<String> COLUMNS = Set.of("name", "age");
  private final JdbcTemplate jdbc = new JdbcTemplate();

  @GetMapping("/enum")
  Object enumeration(@RequestParam Sort sort) {
    // ok: java-sql-injection
    return jdbc.queryForList("SELECT * FROM users ORDER BY " + sort.name());
  }

  @GetMapping("/value-of")
  Object valueOf(@RequestParam String sort) {
    Sort chosen = Sort.valueOf(sort.toUpperCase());
    // ok: java-sql-injection
    return jdbc.queryForList("SELECT * FROM users ORDER BY " + chosen.name());
  }

  @GetMapping("/text-of")
  Object textOf(@RequestParam String sort) {
    String same = String.valueOf(sort.toUpperCase());
    // ruleid: java-sql-injection
    return jdbc.queryForList("SELECT * FROM users ORDER BY " + same);
  }

  @GetMapping("/numbers")
  Object numbers(@RequestParam List<Long> ids, @RequestParam Optional<Integer> page) {
    String joined = ids.stream().map(String::valueOf).collect(Collectors.joining(","));
    // ok: java-sql-injection
    return jdbc.queryForList("SELECT * FROM users WHERE id IN (" + joined + ") OFFSET " + page.orElse(0));
  }

  @GetMapping("/texts")
  Object texts(@RequestParam List<String> ids) {
    String marks = ids.stream().map(id -> "?").collect(Collectors.joining(","));
    // ok: java-sql-injection
    jdbc.queryForList("SELECT * FROM users WHERE id IN (" + marks + ")", ids.toArray());
    String joined = ids.stream().map(id -> id).collect(Collectors.joining(","));
    // ruleid: java-sql-injection
    return jdbc.queryForList("SELECT * FROM users WHERE id IN (" + joined + ")");
  }

  @GetMapping("/several")
  Object several(@RequestParam String table) {
    if (table == null || !table.matches("[a-z]+")) throw new IllegalArgumentException();
    // ok: java-sql-injection
    return jdbc.queryForList("SELECT * FROM " + table);
  }

  @GetMapping("/several-without")
  Object severalWithout(@RequestParam String table) {
    if (table == null || table.length() > 9) throw new IllegalArgumentException();
    // ruleid: java-sql-injection
    return jdbc.queryForList("SELECT * FROM " + table);
  }

  @GetMapping("/in-vain")
  Object inVain(@RequestParam String table) {
    if (table == null || !table.matches("[a-z]+")) {
    }
    // ruleid: java-sql-injection
    return jdbc.queryForList("SELECT * FROM " + table);
  }

  @GetMapping("/one-of")
  Object oneOf(@RequestParam String sort) {
    if (!"name".equals(sort) && !"age".equals(sort)) {
      throw new IllegalArgumentException();
    }
    // ok: java-sql-injection
    return jdbc.queryForList("SELECT * FROM users ORDER BY " + sort);
  }

  @GetMapping("/none-of")
  Object noneOf(@RequestParam String sort) {
    if ("name".equals(sort) && "age".equals(sort)) {
      throw new IllegalArgumentException();
    }
    // ruleid: java-sql-injection
    return jdbc.queryForList("SELECT * FROM users ORDER BY " + sort);
  }

  @GetMapping("/pattern")
  Object pattern(@RequestParam @Pattern(regexp = "[a-z]+") String table) {
    // ok: java-sql-injection
    return jdbc.queryForList("SELECT * FROM " + table);
  }

  @GetMapping("/left")
  Object left(@RequestParam String table) {
    String letters = table.replaceAll("[^a-zA-Z0-9]", "");
    // ok: java-sql-injection
    jdbc.queryForList("SELECT * FROM " + letters);
    String rest = table.replaceAll("[;-]", "");
    // ruleid: java-sql-injection
    return jdbc.queryForList("SELECT * FROM " + rest);
  }

  @GetMapping("/method")
  Object method(@RequestParam String sort) {
    // ok: java-sql-injection
    jdbc.queryForList("SELECT * FROM users ORDER BY " + known(sort));
    // ruleid: java-sql-injection
    return jdbc.queryForList("SELECT * FROM users ORDER BY " + told(sort));
  }

  private String known(String sort) {
    if (!COLUMNS.contains(sort)) {
      throw new IllegalArgumentException(sort);
    }
    return sort;
  }

  private String told(String sort) {
    if (!COLUMNS.contains(sort)) {
      System.out.println("unknown");
    }
    return sort;
  }
}
