/** The poll loop, its read plan and its pause. */
@NullMarked
package dev.duetime.engine.loop;

import org.jspecify.annotations.NullMarked;
