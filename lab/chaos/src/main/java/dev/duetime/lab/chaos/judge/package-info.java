/**
 * The checks of what the logs must show.
 */
@NullMarked
package dev.duetime.lab.chaos.judge;

import org.jspecify.annotations.NullMarked;
