/** Compares Duetime with plain JDBC, db-scheduler, Quartz and JobRunr on one machine, in one run. */
@NullMarked
package dev.duetime.lab.benchmark;

import org.jspecify.annotations.NullMarked;
