-- Lets the session, which belongs to the user's pool, wait for five seconds at most for a row, until it waits as before.
SET SESSION innodb_lock_wait_timeout = 5
