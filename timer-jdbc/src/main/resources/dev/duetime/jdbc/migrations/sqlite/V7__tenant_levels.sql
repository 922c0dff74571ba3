-- How full free units of a rate are for single tenants. Nodes of earlier versions leave the column as it is: its text
-- names the version of the row that it belongs to.
ALTER TABLE timer_permits ADD COLUMN levels TEXT;
