/** The checked settings of the node and of its queues, and the engine's form of the user's handlers and merges. */
@NullMarked
package dev.duetime.engine.settings;

import org.jspecify.annotations.NullMarked;
