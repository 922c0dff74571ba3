/** What the nodes of a cluster share beside timers: the leases of shards, hints that wake others, units of limits. */
@NullMarked
package dev.duetime.jdbc.internal.nodes;

import org.jspecify.annotations.NullMarked;
