/** The settings of a run, drawn at random from a seed, and the history of the run. */
@NullMarked
package dev.duetime.testkit.simulation.run;

import org.jspecify.annotations.NullMarked;
