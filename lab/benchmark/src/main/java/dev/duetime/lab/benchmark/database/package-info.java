/**
 * The databases that are measured: fresh ones for each trial, and plain SQL on them.
 */
@NullMarked
package dev.duetime.lab.benchmark.database;

import org.jspecify.annotations.NullMarked;
