/** Every call of the store's port, each made many times in a row, and how long it takes. */
@NullMarked
package dev.duetime.lab.benchmark.scenario.call;

import org.jspecify.annotations.NullMarked;
