/** Looks behind what is due first: behind the backlog of a todo queue, and behind poison while a publisher seems away. */
@NullMarked
package dev.duetime.engine.looks;

import org.jspecify.annotations.NullMarked;
