-- Writes what became of an occurrence. Of two nodes that race one fails, and replaces the row of the other next.
INSERT INTO timer_occurrences (tenant_id, timer_id, scope, due_at, outcome, ended_at, attempts, error)
VALUES (:tenantId, :timerId, :scope, :dueAt, :outcome, :endedAt, :attempts, :error)
