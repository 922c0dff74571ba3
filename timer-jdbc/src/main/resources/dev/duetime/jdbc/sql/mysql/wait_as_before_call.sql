-- Lets the session wait for rows as long as it did before the call.
SET SESSION innodb_lock_wait_timeout = @duetime_lock_wait_of_call
