/** The contract that every store must pass, a class for each chapter. */
@NullMarked
package dev.duetime.testkit.contract;

import org.jspecify.annotations.NullMarked;
