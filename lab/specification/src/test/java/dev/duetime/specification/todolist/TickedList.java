package dev.duetime.specification.todolist;

import dev.duetime.listener.ListSweep;
import dev.duetime.listener.NodeListener;
import dev.duetime.store.ListKey;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import dev.duetime.todolist.OverdueHandler;
import dev.duetime.todolist.OverdueHandler.Verdict;
import dev.duetime.todolist.TodoList;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A to-do list with ticks, on two nodes. */
abstract class TickedList {
    static final Duration MINUTE = Duration.ofMinutes(1);

    static final Duration TICK = Duration.ofNanos(1_000);

    final List<ListSweep> sweeps = new ArrayList<>();

    final List<String> failures = new ArrayList<>();

    final TimerKit kit = TimerKit.builder()
            .nodes(2)
            .configure(scheduler -> scheduler.listener(new NodeListener() {
                @Override
                public void sweptTodos(ListSweep sweep) {
                    sweeps.add(sweep);
                }

                @Override
                public void todoFailed(ListKey key, Instant now, Throwable error) {
                    failures.add(key + " " + error.getMessage());
                }
            }))
            .build();

    final Instant start = kit.now();

    final TodoList<String> list = list("pending", 0);

    final List<String> handled = new ArrayList<>();

    TodoList<String> list(String name, int node) {
        TodoList<String> list = TodoList.of(name);
        list.attach(kit.node(node).scheduler());
        return list;
    }

    /** Adds items, a minute apart, the first of them overdue now. */
    void given(String... ids) {
        for (int i = 0; i < ids.length; i++) {
            list.add(ids[i], start.plus(MINUTE.multipliedBy(i)));
        }
    }

    void tick(Instant now, OverdueHandler<String> handler) {
        tick(list, now, handler);
    }

    void tick(TodoList<String> ticked, Instant now, OverdueHandler<String> handler) {
        try {
            ticked.onTick(now, (id, at) -> {
                handled.add(id);
                return handler.handle(id, at);
            });
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    List<String> open() {
        return list.overdue(Instant.MAX).toList();
    }

    static Verdict done(String id, Instant now) {
        return Verdict.DONE;
    }

    static Verdict failing(String id, Instant now) {
        throw new IllegalStateException("secret");
    }

    int probes() {
        return kit.node(0).calls(StoreCall.OVERDUE_TODOS);
    }
}
