-- Lets the session, which belongs to the user's pool, wait for no row, and remembers how long it did.
SET @duetime_lock_wait = @@SESSION.innodb_lock_wait_timeout, SESSION innodb_lock_wait_timeout = 0
