/**
 * Measures with JMH what is done in memory for each timer, where that says something: docs/performance.md has the
 * figures.
 */
@NullMarked
package dev.duetime.lab.microbenchmark;

import org.jspecify.annotations.NullMarked;
