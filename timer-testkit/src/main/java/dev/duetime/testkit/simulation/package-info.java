/**
 * The seeded simulation: many nodes, faults and users in virtual time, in one thread, and the invariants that must hold
 * after every run. {@link dev.duetime.testkit.simulation.Simulation} is its face.
 */
@NullMarked
package dev.duetime.testkit.simulation;

import org.jspecify.annotations.NullMarked;
