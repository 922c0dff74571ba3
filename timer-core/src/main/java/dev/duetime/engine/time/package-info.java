/**
 * The store's time on this node, computed from samples and a monotonic clock, and the turns that a test's clock skips.
 */
@NullMarked
package dev.duetime.engine.time;

import org.jspecify.annotations.NullMarked;
