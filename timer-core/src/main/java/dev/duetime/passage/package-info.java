/**
 * The passage of time as events, and the to-do lists that are worked off when it comes: {@link
 * dev.duetime.passage.PassageOfTime} tells subscribers, {@link dev.duetime.passage.TimeHasPassed} and its cases are what they
 * are told, {@link dev.duetime.todolist.TodoList} keeps ids until a time. Builds upon the scheduler; nothing builds upon it.
 */
@NullMarked
package dev.duetime.passage;

import org.jspecify.annotations.NullMarked;
