-- The settings of this session for the binary log. A server that has one of them no more leaves it out. Takes no lock,
-- reads no table.
SHOW VARIABLES WHERE variable_name IN ('log_bin', 'sql_log_bin', 'binlog_format')
