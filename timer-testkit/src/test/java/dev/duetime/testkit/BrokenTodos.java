package dev.duetime.testkit;

import dev.duetime.TodoItem;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.TodoStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Holds stores that keep to-do lists wrongly. */
final class BrokenTodos {

    private BrokenTodos() {}

    static Function<InMemoryScheduleStore, ScheduleStore> by(Function<TodoStore, TodoStore> breaking) {
        return store -> new PassThroughStore(store) {
            @Override
            public TodoStore todos() {
                return breaking.apply(intact.todos());
            }
        };
    }

    static TodoStore removesMoved(TodoStore todos) {
        return new PassThroughTodos(todos) {
            @Override
            public int removeUnmoved(List<TodoItem> items) {
                return intact.remove(items.stream().map(TodoItem::key).toList());
            }
        };
    }

    static TodoStore overdueEarly(TodoStore todos) {
        return new PassThroughTodos(todos) {
            @Override
            public List<TodoItem> overdue(String list, Instant now, @Nullable TodoItem after, int limit) {
                return intact.overdue(list, now.plusNanos(1_000), after, limit);
            }
        };
    }

    static TodoStore newestFirst(TodoStore todos) {
        return new PassThroughTodos(todos) {
            @Override
            public List<TodoItem> overdue(String list, Instant now, @Nullable TodoItem after, int limit) {
                List<TodoItem> turned = new ArrayList<>(intact.overdue(list, now, after, limit));
                Collections.reverse(turned);
                return turned;
            }
        };
    }

    static TodoStore forgetsThePlace(TodoStore todos) {
        return new PassThroughTodos(todos) {
            @Override
            public List<TodoItem> overdue(String list, Instant now, @Nullable TodoItem after, int limit) {
                return intact.overdue(list, now, null, limit);
            }
        };
    }

    static TodoStore pagesByTimeAlone(TodoStore todos) {
        return new PassThroughTodos(todos) {
            @Override
            public List<TodoItem> overdue(String list, Instant now, @Nullable TodoItem after, int limit) {
                return intact.overdue(list, now, after, Integer.MAX_VALUE).stream()
                        .filter(item -> after == null || item.overdueAt().isAfter(after.overdueAt()))
                        .limit(limit)
                        .toList();
            }
        };
    }

    static TodoStore neverMoves(TodoStore todos) {
        return new PassThroughTodos(todos) {
            @Override
            public void put(List<TodoItem> items) {
                intact.put(items.stream()
                        .filter(item -> intact.find(item.key()).isEmpty())
                        .toList());
            }
        };
    }
}
