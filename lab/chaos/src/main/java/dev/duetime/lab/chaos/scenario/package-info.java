/**
 * The scenarios, and the faults that they inflict on nodes and servers.
 */
@NullMarked
package dev.duetime.lab.chaos.scenario;

import org.jspecify.annotations.NullMarked;
