/** Transactions of our own and of callers, and what their failures mean. */
@NullMarked
package dev.duetime.jdbc.internal.connection;

import org.jspecify.annotations.NullMarked;
