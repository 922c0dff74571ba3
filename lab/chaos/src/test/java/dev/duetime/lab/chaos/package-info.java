/** Tests that the checker bites, and that the program runs. */
@NullMarked
package dev.duetime.lab.chaos;

import org.jspecify.annotations.NullMarked;
