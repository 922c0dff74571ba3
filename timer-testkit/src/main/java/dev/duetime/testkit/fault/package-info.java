/** Faults that a test inflicts on a node and on its calls to the store. */
@NullMarked
package dev.duetime.testkit.fault;

import org.jspecify.annotations.NullMarked;
