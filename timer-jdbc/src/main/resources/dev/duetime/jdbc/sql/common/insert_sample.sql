-- Writes the first sample of a node. Only the node itself writes the row. Index: primary key.
INSERT INTO timer_samples (queue, node, taken_at, in_delivery, delivered, lateness)
VALUES (:queue, :node, :takenAt, :inDelivery, :delivered, :lateness)
