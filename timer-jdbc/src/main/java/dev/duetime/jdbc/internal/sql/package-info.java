/** SQL files, their parameters and their batches. */
@NullMarked
package dev.duetime.jdbc.internal.sql;

import org.jspecify.annotations.NullMarked;
