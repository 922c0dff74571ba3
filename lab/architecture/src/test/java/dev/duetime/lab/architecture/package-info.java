/** The check that the packages of all modules are as the architecture page draws them. */
@NullMarked
package dev.duetime.lab.architecture;

import org.jspecify.annotations.NullMarked;
