-- Lets the session wait for rows as long as it did. Ends no transaction.
SET LOCK_TIMEOUT <millis>
