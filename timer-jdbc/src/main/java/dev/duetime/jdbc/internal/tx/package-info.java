/** How statements reach the transaction that they run in, whoever has begun it. */
@NullMarked
package dev.duetime.jdbc.internal.tx;

import org.jspecify.annotations.NullMarked;
