-- Tells in which schema the tables of Duetime are: the first of the search path that exists.
SELECT current_schema()
