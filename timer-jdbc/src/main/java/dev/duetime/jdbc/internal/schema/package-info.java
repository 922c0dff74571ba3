/** The migrations. */
@NullMarked
package dev.duetime.jdbc.internal.schema;

import org.jspecify.annotations.NullMarked;
