-- Reads how the session encodes the texts that it sends.
SELECT @@SESSION.character_set_connection
