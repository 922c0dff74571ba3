/** What the engine and our stores make of timers: their next states, their comparison, their envelopes. */
@NullMarked
package dev.duetime.internal.timer;

import org.jspecify.annotations.NullMarked;
