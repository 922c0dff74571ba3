-- Asks how long the session waits for a row, in milliseconds.
SELECT LOCK_TIMEOUT()
