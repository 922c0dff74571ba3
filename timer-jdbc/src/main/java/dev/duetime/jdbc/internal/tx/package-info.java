/** How statements reach the transaction that they run in, ours or that of a caller. */
@NullMarked
package dev.duetime.jdbc.internal.tx;

import org.jspecify.annotations.NullMarked;
