/** Listeners: the events that a program can observe. */
@NullMarked
package dev.duetime.listener;

import org.jspecify.annotations.NullMarked;
