import { Controller, Get, Param, ParseEnumPipe, ParseUUIDPipe, Query } from "@nestjs/common";

enum Sort {
  Name = "name",
}

@Controller("users")
export class UserController {
  constructor(private readonly source: DataSource) {}

  @Get("a/:id")
  byId(@Param("id", ParseUUIDPipe) id: string) {
    // ok: javascript-sql-injection
    return this.source.query(`SELECT * FROM users WHERE id = '${id}'`);
  }

  @Get("b")
  sorted(@Query("sort", new ParseEnumPipe(Sort)) sort: Sort) {
    // ok: javascript-sql-injection
    return this.source.query(`SELECT * FROM users ORDER BY ${sort}`);
  }

  @Get("c")
  trimmed(@Query("sort", TrimPipe) sort: string) {
    // ruleid: javascript-sql-injection
    return this.source.query(`SELECT * FROM users ORDER BY ${sort}`);
  }
}
