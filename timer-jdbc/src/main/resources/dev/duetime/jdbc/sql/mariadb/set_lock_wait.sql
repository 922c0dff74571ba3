-- Sets for how many seconds this session waits for a lock.
SET SESSION innodb_lock_wait_timeout = <wait>
