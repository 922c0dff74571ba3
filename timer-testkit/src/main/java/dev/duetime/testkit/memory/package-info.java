/** The store in memory, which behaves like a database. */
@NullMarked
package dev.duetime.testkit.memory;

import org.jspecify.annotations.NullMarked;
