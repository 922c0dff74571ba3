-- Makes the session receive what notify.sql tells, once it is in no transaction.
LISTEN duetime_hints
