-- Tells whether a wait for a lock that took too long undoes only its own statement.
SELECT @@GLOBAL.innodb_rollback_on_timeout = 0
