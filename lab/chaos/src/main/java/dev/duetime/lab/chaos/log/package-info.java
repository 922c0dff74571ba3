/**
 * The append-only logs that the nodes write, and what can be measured from them.
 */
@NullMarked
package dev.duetime.lab.chaos.log;

import org.jspecify.annotations.NullMarked;
