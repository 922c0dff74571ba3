/** To-do lists: ids that are open until a time, and are handed to the user's code when they are overdue. */
@NullMarked
package dev.duetime.todolist;

import org.jspecify.annotations.NullMarked;
