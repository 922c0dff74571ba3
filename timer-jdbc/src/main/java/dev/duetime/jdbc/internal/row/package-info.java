/** The conversion of rows to objects, and of objects and conditions to the parameters of statements. */
@NullMarked
package dev.duetime.jdbc.internal.row;

import org.jspecify.annotations.NullMarked;
