/**
 * Connections: the shares of a pool, transactions of the store or of a caller, rows that others hold, and the
 * translation of the driver's exceptions.
 */
@NullMarked
package dev.duetime.jdbc.internal.connection;

import org.jspecify.annotations.NullMarked;
