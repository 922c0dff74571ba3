/** Measures what the engine does not show to other packages. */
@NullMarked
package dev.duetime.engine;

import org.jspecify.annotations.NullMarked;
