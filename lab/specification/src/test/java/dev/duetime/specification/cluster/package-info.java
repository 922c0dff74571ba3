/** Several nodes: shards, leases, takeover. */
@NullMarked
package dev.duetime.specification.cluster;

import org.jspecify.annotations.NullMarked;
