/** The store or the broker is away. */
@NullMarked
package dev.duetime.specification.outage;

import org.jspecify.annotations.NullMarked;
