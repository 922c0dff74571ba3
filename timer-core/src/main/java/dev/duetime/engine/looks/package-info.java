/** Looks behind the backlog of a todo queue: at the present, at what these have passed, and for parallel keys. */
@NullMarked
package dev.duetime.engine.looks;

import org.jspecify.annotations.NullMarked;
