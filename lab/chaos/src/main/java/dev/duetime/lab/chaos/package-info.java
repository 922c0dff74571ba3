/** Kills, stops and starves real processes that share one database, and checks by their logs that no timer is lost. */
@NullMarked
package dev.duetime.lab.chaos;

import org.jspecify.annotations.NullMarked;
