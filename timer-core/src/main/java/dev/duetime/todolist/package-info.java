/**
 * To-do lists: ids with a time by which they must be done. Each time a period has passed, a handler gets the overdue
 * ids.
 */
@NullMarked
package dev.duetime.todolist;

import org.jspecify.annotations.NullMarked;
