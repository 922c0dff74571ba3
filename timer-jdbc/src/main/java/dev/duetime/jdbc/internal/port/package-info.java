/** The other parts of {@code dev.duetime.store} in SQL, a class for each: timers, lists, operators. */
@NullMarked
package dev.duetime.jdbc.internal.port;

import org.jspecify.annotations.NullMarked;
