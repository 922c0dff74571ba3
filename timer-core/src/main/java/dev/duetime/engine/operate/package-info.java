/** The calls of operators, and housekeeping: the deletion of ended timers, and samples. */
@NullMarked
package dev.duetime.engine.operate;

import org.jspecify.annotations.NullMarked;
