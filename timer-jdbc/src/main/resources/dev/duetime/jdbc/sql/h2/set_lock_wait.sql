-- Sets for how many milliseconds this session waits for a lock.
SET LOCK_TIMEOUT <wait>
