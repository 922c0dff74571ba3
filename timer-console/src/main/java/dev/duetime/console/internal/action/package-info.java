/** What operators do through the console: single actions, and runs over many timers that can be stopped. */
@NullMarked
package dev.duetime.console.internal.action;

import org.jspecify.annotations.NullMarked;
