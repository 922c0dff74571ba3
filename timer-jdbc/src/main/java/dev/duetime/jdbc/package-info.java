/**
 * Keeps timers in a database: {@link dev.duetime.jdbc.JdbcScheduleStore} on PostgreSQL, MariaDB, H2 and SQLite. Each
 * statement is a file below {@code sql}, the schema a file below {@code migrations}.
 */
@NullMarked
package dev.duetime.jdbc;

import org.jspecify.annotations.NullMarked;
