/**
 * The database servers that a run starts, stops and restarts.
 */
@NullMarked
package dev.duetime.lab.chaos.server;

import org.jspecify.annotations.NullMarked;
