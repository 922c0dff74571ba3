-- Makes H2 write each commit to the file before it returns. Holds for the whole database. Takes no lock.
SET WRITE_DELAY 0
