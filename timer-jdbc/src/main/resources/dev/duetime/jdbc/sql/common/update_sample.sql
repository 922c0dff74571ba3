-- Replaces what a node delivered of a queue. Only the node itself writes the row. Index: primary key.
UPDATE timer_samples
SET taken_at = :takenAt, in_delivery = :inDelivery, delivered = :delivered, lateness = :lateness
WHERE queue = :queue AND node = :node
