package dev.duetime.specification.todolist;

import dev.duetime.testkit.TimerKit;
import dev.duetime.todolist.TodoList;
import java.time.Duration;
import java.util.List;

/** A to-do list on a scheduler. */
abstract class AttachedList {
    static final Duration MINUTE = Duration.ofMinutes(1);

    static final Duration TICK = Duration.ofNanos(1_000);

    final TimerKit kit = TimerKit.create();

    final TodoList<String> list = attached(TodoList.of("pending"));

    <I> TodoList<I> attached(TodoList<I> given) {
        given.attach(kit.scheduler());
        return given;
    }

    List<String> overdueIn(Duration time) {
        return list.overdue(kit.now().plus(time)).toList();
    }
}
