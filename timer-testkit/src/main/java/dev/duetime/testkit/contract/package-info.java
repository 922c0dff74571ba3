/** The contract that every store must pass, a chapter each. */
@NullMarked
package dev.duetime.testkit.contract;

import org.jspecify.annotations.NullMarked;
