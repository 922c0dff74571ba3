/** Settings of the node and of its queues. */
@NullMarked
package dev.duetime.engine.settings;

import org.jspecify.annotations.NullMarked;
