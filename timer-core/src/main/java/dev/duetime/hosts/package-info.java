/** {@code HostSet}: one store over several databases. */
@NullMarked
package dev.duetime.hosts;

import org.jspecify.annotations.NullMarked;
