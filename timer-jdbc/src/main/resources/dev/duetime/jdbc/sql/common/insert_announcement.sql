-- Makes a new node count as alive. Fails with a duplicate key if it was announced meanwhile; then it is extended.
-- Locks the new row. Index: primary key.
INSERT INTO timer_nodes (queue, node, alive_until) VALUES (:queue, :node, :until)
