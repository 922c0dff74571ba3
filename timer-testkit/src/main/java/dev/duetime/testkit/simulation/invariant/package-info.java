/** The rules that every run of the simulation must keep, a class for each rule. */
@NullMarked
package dev.duetime.testkit.simulation.invariant;

import org.jspecify.annotations.NullMarked;
