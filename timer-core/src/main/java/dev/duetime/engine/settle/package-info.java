/** What becomes of a delivery: outcomes, the next occurrence, the settler. */
@NullMarked
package dev.duetime.engine.settle;

import org.jspecify.annotations.NullMarked;
