/** {@code HostSet}: one store that spreads timers over several databases, its hosts. */
@NullMarked
package dev.duetime.hosts;

import org.jspecify.annotations.NullMarked;
