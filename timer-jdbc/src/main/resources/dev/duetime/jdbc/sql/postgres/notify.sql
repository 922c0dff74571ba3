-- Tells the listening sessions of a hint, when the transaction commits. Takes a lock of the whole server during the
-- commit, so it is in no transaction of a user, and at most 20 times a second a node. Nodes in other schemas of the
-- database read the same channel, so the message begins with the schema.
SELECT pg_notify('duetime_hints', current_schema() || E'\n' || CAST(:message AS text))
