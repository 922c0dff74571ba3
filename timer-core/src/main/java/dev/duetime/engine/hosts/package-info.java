/** One engine for each database of a {@code HostSet}. */
@NullMarked
package dev.duetime.engine.hosts;

import org.jspecify.annotations.NullMarked;
