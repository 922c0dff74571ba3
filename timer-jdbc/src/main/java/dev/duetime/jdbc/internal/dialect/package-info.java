/** The differences between databases, a class for each database. */
@NullMarked
package dev.duetime.jdbc.internal.dialect;

import org.jspecify.annotations.NullMarked;
