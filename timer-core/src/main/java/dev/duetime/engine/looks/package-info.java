/** Looks behind what is due first: the backlog of a todo queue, or poison while a publisher seems away. */
@NullMarked
package dev.duetime.engine.looks;

import org.jspecify.annotations.NullMarked;
