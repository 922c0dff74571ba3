/** The store in memory. */
@NullMarked
package dev.duetime.testkit.memory;

import org.jspecify.annotations.NullMarked;
