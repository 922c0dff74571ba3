-- Matches no row, but makes the transaction a writer at once: one that reads first and writes later fails with
-- SQLITE_BUSY_SNAPSHOT if another one wrote in between. Where the mode is IMMEDIATE it changes nothing.
UPDATE timer_shards SET epoch = epoch WHERE queue = ''
