/** Measures with JMH the work that is done in memory for each timer. The figures are in docs/performance.md. */
@NullMarked
package dev.duetime.lab.microbenchmark;

import org.jspecify.annotations.NullMarked;
