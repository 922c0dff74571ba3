/** Connections and the transactions on them, our own and those of callers, and what their failures mean. */
@NullMarked
package dev.duetime.jdbc.internal.connection;

import org.jspecify.annotations.NullMarked;
