/** Promptness on many nodes: where a timer that is due soon is placed, and hints to the owners of other shards. */
@NullMarked
package dev.duetime.engine.prompt;

import org.jspecify.annotations.NullMarked;
