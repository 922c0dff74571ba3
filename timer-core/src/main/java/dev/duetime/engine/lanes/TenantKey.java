package dev.duetime.engine.lanes;

/**
 * A parallel key of one tenant.
 *
 * @param shard the shard of its todos
 */
record TenantKey(String tenant, String parallelKey, int shard) {}
