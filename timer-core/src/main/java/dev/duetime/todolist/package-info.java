/** To-do lists: ids that stay open until a time. */
@NullMarked
package dev.duetime.todolist;

import org.jspecify.annotations.NullMarked;
