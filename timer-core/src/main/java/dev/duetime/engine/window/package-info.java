/** The windows of reads: where each one begins and ends, and how much it takes. */
@NullMarked
package dev.duetime.engine.window;

import org.jspecify.annotations.NullMarked;
