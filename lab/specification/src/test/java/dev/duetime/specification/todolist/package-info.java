/** To-do lists. */
@NullMarked
package dev.duetime.specification.todolist;

import org.jspecify.annotations.NullMarked;
