/** Lanes of timers that are published: whose turn it is, which fail, and which are slow and leave calls to others. */
@NullMarked
package dev.duetime.engine.lanes;

import org.jspecify.annotations.NullMarked;
