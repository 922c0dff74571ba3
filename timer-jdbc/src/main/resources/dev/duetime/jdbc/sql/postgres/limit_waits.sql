-- Makes the statements that follow in this transaction give up on a row that another transaction holds for longer than a
-- quarter of a second.
SELECT set_config('lock_timeout', '250', TRUE)
