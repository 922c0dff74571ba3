/** The console: pages for operators, and the ways to mount them. */
@NullMarked
package dev.duetime.console;

import org.jspecify.annotations.NullMarked;
