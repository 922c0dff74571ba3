-- Leaves the first hint of a queue. Of two nodes that race one fails, and adds its hint to the row of the other.
INSERT INTO timer_hints (queue, sent, due_at) VALUES (:queue, 1, :dueAt)
