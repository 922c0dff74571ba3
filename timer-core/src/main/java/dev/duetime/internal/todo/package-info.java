/** The settings of todo queues and their types, in the form that the engine reads. */
@NullMarked
package dev.duetime.internal.todo;

import org.jspecify.annotations.NullMarked;
