-- Sets for how many milliseconds this connection waits for the write lock.
PRAGMA busy_timeout = <wait>
