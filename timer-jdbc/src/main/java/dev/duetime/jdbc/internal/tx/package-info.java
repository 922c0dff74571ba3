/** The interface that runs statements in a transaction, and the kinds of collisions with other transactions. */
@NullMarked
package dev.duetime.jdbc.internal.tx;

import org.jspecify.annotations.NullMarked;
