/** Faults that a test inflicts on a store. */
@NullMarked
package dev.duetime.testkit.fault;

import org.jspecify.annotations.NullMarked;
