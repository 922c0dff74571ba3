/**
 * Tables, JSON and pictures made from results.
 */
@NullMarked
package dev.duetime.lab.benchmark.report;

import org.jspecify.annotations.NullMarked;
