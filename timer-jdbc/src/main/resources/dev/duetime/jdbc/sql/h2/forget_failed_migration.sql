-- Lets a migration be run again that failed half-way. Locks the rows. Scans the history, which has a few rows.
DELETE FROM "duetime_schema_history" WHERE "success" = FALSE
