/** The conversion of rows and columns to objects and back. */
@NullMarked
package dev.duetime.jdbc.internal.row;

import org.jspecify.annotations.NullMarked;
