-- Makes the settings that follow in this transaction hold on the other servers, too.
SET LOCAL citus.propagate_set_commands = 'local'
