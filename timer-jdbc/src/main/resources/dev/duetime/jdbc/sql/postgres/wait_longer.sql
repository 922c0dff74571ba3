-- Lets the statements that follow in this transaction wait for five seconds at most for a row that another transaction
-- holds.
SELECT set_config('lock_timeout', '5000', TRUE)
