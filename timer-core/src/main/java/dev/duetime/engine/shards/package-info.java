/** Ownership of shards: leases, fair share, takeover. */
@NullMarked
package dev.duetime.engine.shards;

import org.jspecify.annotations.NullMarked;
