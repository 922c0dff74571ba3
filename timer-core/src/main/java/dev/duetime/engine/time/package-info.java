/** The store's time on this node, carried by a monotonic clock. */
@NullMarked
package dev.duetime.engine.time;

import org.jspecify.annotations.NullMarked;
