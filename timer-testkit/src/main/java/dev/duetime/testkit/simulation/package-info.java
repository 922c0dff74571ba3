/**
 * The seeded simulation: many nodes, faults and users in virtual time, in one thread, and the invariants that must hold
 * after every run. Begin with {@link dev.duetime.testkit.simulation.Simulation}.
 */
@NullMarked
package dev.duetime.testkit.simulation;

import org.jspecify.annotations.NullMarked;
