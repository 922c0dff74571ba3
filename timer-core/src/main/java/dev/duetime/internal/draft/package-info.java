/** What a caller has set on a timer, as the engine reads it. */
@NullMarked
package dev.duetime.internal.draft;

import org.jspecify.annotations.NullMarked;
