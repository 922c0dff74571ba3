/** The way in: group commit and merge. */
@NullMarked
package dev.duetime.engine.schedule;

import org.jspecify.annotations.NullMarked;
