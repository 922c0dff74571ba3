/** The poll loop of a queue: when and how much it reads, how it backs off, pauses and ends. */
@NullMarked
package dev.duetime.engine.loop;

import org.jspecify.annotations.NullMarked;
