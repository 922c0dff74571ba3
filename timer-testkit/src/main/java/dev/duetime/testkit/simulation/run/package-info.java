/** What a run is drawn from, and what happened in it. */
@NullMarked
package dev.duetime.testkit.simulation.run;

import org.jspecify.annotations.NullMarked;
