/** One store over several databases: {@link dev.duetime.store.hosts.HostSet}. */
@NullMarked
package dev.duetime.store.hosts;

import org.jspecify.annotations.NullMarked;
