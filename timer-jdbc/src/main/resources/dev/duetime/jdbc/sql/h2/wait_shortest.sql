-- Lets the session, which belongs to the user's pool, wait for a row as shortly as H2 can. Ends no transaction.
SET LOCK_TIMEOUT 1
