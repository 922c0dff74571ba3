/** The checked settings of the node and of its queues, and the adapters that call the user's handlers and merges. */
@NullMarked
package dev.duetime.engine.settings;

import org.jspecify.annotations.NullMarked;
