-- Sets the isolation level of the next transaction only; the session, which belongs to the user's pool, keeps its own.
SET TRANSACTION ISOLATION LEVEL READ COMMITTED
