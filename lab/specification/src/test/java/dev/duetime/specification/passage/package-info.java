/** The passage of time as events. */
@NullMarked
package dev.duetime.specification.passage;

import org.jspecify.annotations.NullMarked;
