-- Lets the session, which belongs to the user's pool, wait a second at most for a row during a call, and remembers how
-- long it did. Parts of the call do the same with a variable of their own (wait_briefly.sql).
SET @duetime_lock_wait_of_call = @@SESSION.innodb_lock_wait_timeout, SESSION innodb_lock_wait_timeout = 1
