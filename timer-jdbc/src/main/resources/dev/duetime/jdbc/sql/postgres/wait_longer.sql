-- Lets the statements that follow in this transaction wait for half a second at most for a row that another transaction
-- holds.
SELECT set_config('lock_timeout', '500', TRUE)
