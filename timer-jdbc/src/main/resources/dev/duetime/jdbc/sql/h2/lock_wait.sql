-- Reads for how many milliseconds this session waits for a lock.
CALL LOCK_TIMEOUT()
