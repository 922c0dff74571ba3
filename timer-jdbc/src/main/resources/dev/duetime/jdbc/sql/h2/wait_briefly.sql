-- Lets the session, which belongs to the user's pool, wait a quarter of a second at most for a row. Ends no
-- transaction.
SET LOCK_TIMEOUT 250
