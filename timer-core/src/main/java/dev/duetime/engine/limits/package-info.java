/** Limits of the cluster: the share of this node in each, what waits for a permit, and how nodes divide the units. */
@NullMarked
package dev.duetime.engine.limits;

import org.jspecify.annotations.NullMarked;
