/** Tests that the checker bites, and that the program runs. */
@NullMarked
package dev.duetime.examples.chaos;

import org.jspecify.annotations.NullMarked;
