-- Reads for how many seconds this session waits for a lock.
SELECT @@SESSION.innodb_lock_wait_timeout
