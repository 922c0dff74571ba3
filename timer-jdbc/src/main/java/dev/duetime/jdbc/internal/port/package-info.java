/** The implementation of {@code dev.duetime.store} in SQL, a class for each part: timers, leases, lists, operators. */
@NullMarked
package dev.duetime.jdbc.internal.port;

import org.jspecify.annotations.NullMarked;
