-- Sets the isolation level of this transaction, whatever the level of the pool: our statements need no stricter one, under
-- which they would fail.
SET TRANSACTION ISOLATION LEVEL READ COMMITTED
