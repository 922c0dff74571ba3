/** The parts of the store port: timers, leases, lists, what operators ask. */
@NullMarked
package dev.duetime.jdbc.internal.port;

import org.jspecify.annotations.NullMarked;
