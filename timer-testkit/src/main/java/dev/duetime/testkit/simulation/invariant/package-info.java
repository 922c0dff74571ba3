/** What must hold after every run, a class each. */
@NullMarked
package dev.duetime.testkit.simulation.invariant;

import org.jspecify.annotations.NullMarked;
