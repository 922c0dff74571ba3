-- Makes the session receive nothing any more, before the pool gets it back.
UNLISTEN duetime_hints
