/** A node whose store is a {@code HostSet}: one engine for each database, and operations over all of them. */
@NullMarked
package dev.duetime.engine.hosts;

import org.jspecify.annotations.NullMarked;
