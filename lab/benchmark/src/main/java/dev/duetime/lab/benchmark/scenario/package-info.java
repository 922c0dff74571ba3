/**
 * The scenarios: what each one prepares, does and measures.
 */
@NullMarked
package dev.duetime.lab.benchmark.scenario;

import org.jspecify.annotations.NullMarked;
