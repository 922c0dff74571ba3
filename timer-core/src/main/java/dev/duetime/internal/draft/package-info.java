/** The values that a caller has set on a timer, in the form that the engine reads. */
@NullMarked
package dev.duetime.internal.draft;

import org.jspecify.annotations.NullMarked;
