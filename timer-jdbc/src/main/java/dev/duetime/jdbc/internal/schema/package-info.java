/** The migrations that create and update the tables. */
@NullMarked
package dev.duetime.jdbc.internal.schema;

import org.jspecify.annotations.NullMarked;
