-- Finds out whether the database may be distributed over several servers by Citus.
SELECT 1 FROM pg_catalog.pg_extension WHERE extname = 'citus'
