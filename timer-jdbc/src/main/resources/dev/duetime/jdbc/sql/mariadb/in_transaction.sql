-- Tells whether the transaction is still there. A lock timeout ends it if innodb_rollback_on_timeout is set.
SELECT @@in_transaction
