/** What differs between databases, a class each. */
@NullMarked
package dev.duetime.jdbc.internal.dialect;

import org.jspecify.annotations.NullMarked;
