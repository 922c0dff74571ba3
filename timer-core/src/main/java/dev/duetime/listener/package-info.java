/** The listeners that a program can register, and the events that they receive. */
@NullMarked
package dev.duetime.listener;

import org.jspecify.annotations.NullMarked;
