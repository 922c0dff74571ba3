/** The pages of the console, a class for each screen. */
@NullMarked
package dev.duetime.console.internal.page;

import org.jspecify.annotations.NullMarked;
