/**
 * The arguments of a run, the machine it runs on, and its results.
 */
@NullMarked
package dev.duetime.lab.benchmark.run;

import org.jspecify.annotations.NullMarked;
