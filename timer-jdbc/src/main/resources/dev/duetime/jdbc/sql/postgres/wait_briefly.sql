-- Makes the statements that follow in this transaction give up on a row that another transaction holds for longer than 20
-- ms. Sent together with the first of them: without a transaction around them, both are one.
SELECT set_config('lock_timeout', '20', TRUE)
