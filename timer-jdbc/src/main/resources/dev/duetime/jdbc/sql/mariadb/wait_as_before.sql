-- Lets the session wait for rows as long as it did.
SET SESSION innodb_lock_wait_timeout = @duetime_lock_wait
