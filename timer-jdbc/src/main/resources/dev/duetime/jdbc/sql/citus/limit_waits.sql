-- Makes the statements that follow in this transaction give up on a row that another transaction holds for longer than a
-- quarter of a second. As a command, which Citus passes on to the other servers.
SET LOCAL lock_timeout = 250
