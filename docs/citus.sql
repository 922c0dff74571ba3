-- Spreads the tables of Duetime over the servers of a Citus cluster. Run once, on the coordinator, in the schema of the
-- tables, after they were created and while no node runs. Then restart the nodes. If the tables have a schema or prefix of
-- yours, java -jar timer-jdbc.jar print citus --schema … --table-prefix … prints this script with their names.
--
-- If you have tables of your own that are distributed by tenant, put the name of one instead of 'none' in the first
-- call, and leave shard_count out: one transaction on both then stays on one server. Its column must be
-- text COLLATE "C" like ours.

SELECT create_distributed_table('timer_schedules', 'tenant_id', colocate_with => 'none', shard_count => 8);
SELECT create_distributed_table('timer_occurrences', 'tenant_id', colocate_with => 'timer_schedules');
SELECT create_distributed_table('timer_shards', 'queue', colocate_with => 'none', shard_count => 8);
SELECT create_distributed_table('timer_nodes', 'queue', colocate_with => 'timer_shards');
SELECT create_distributed_table('timer_pauses', 'queue', colocate_with => 'timer_shards');
SELECT create_distributed_table('timer_hints', 'queue', colocate_with => 'timer_shards');
SELECT create_distributed_table('timer_samples', 'queue', colocate_with => 'timer_shards');
SELECT create_distributed_table('timer_permits', 'queue', colocate_with => 'timer_shards');
SELECT create_distributed_table('timer_merge_slots', 'queue', colocate_with => 'timer_shards');

-- By the item, so that a list is worked by all servers; colocate it likewise if your own tables are distributed by that id.
SELECT create_distributed_table('timer_todo_items', 'item_id', colocate_with => 'none', shard_count => 8);

-- The poll of a cluster reads in order of time over all shards of a node, and looks for the next due time likewise.
CREATE INDEX IF NOT EXISTS timer_schedules_wake_first ON timer_schedules (queue, wake_at, shard)
    WHERE state = 'SCHEDULED';
