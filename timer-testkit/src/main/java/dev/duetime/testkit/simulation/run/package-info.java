/** The settings that a seed draws for a run, and the history of the run. */
@NullMarked
package dev.duetime.testkit.simulation.run;

import org.jspecify.annotations.NullMarked;
