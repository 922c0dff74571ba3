/** The way in: timers are resolved, merged, and stored by group commit. */
@NullMarked
package dev.duetime.engine.schedule;

import org.jspecify.annotations.NullMarked;
