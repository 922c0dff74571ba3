/** The transactions that Spring manages, and the timers that join them. */
@NullMarked
package dev.duetime.spring.internal.transaction;

import org.jspecify.annotations.NullMarked;
