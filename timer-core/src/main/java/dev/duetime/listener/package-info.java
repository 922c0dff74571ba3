/** What a program can listen to. */
@NullMarked
package dev.duetime.listener;

import org.jspecify.annotations.NullMarked;
