-- Lets the session, which belongs to the user's pool, wait for half a second at most for a row, until it waits as before.
SET LOCK_TIMEOUT 500
