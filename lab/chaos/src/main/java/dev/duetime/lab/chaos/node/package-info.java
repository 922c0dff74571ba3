/**
 * The processes of a cluster: nodes that schedule, deliver and write logs.
 */
@NullMarked
package dev.duetime.lab.chaos.node;

import org.jspecify.annotations.NullMarked;
