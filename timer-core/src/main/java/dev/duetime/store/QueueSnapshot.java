package dev.duetime.store;

import dev.duetime.Beta;

/**
 * What a node has to know of a queue while nothing is due.
 *
 * @param shards the leases of the queue
 * @param next when the next timer wakes in the shards that the node holds, and the pause of the queue
 */
@Beta
public record QueueSnapshot(ShardMap shards, NextDue next) {}
