/** The seam between statements and the transaction that they run in. */
@NullMarked
package dev.duetime.jdbc.internal.tx;

import org.jspecify.annotations.NullMarked;
