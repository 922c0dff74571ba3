/** The readers of SQL files, and the runners of their statements and batches. */
@NullMarked
package dev.duetime.jdbc.internal.sql;

import org.jspecify.annotations.NullMarked;
