/** Operations on timers for the engine and our stores: next states, comparison, envelopes. */
@NullMarked
package dev.duetime.internal.timer;

import org.jspecify.annotations.NullMarked;
