/** Tests that the checker finds errors, and that the program runs. */
@NullMarked
package dev.duetime.lab.chaos;

import org.jspecify.annotations.NullMarked;
