/** Columns to objects and back. */
@NullMarked
package dev.duetime.jdbc.internal.row;

import org.jspecify.annotations.NullMarked;
