package dev.duetime.testkit;

import dev.duetime.store.ListItem;
import dev.duetime.store.ListStore;
import dev.duetime.store.ScheduleStore;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Stores that keep to-do lists wrongly. */
final class BrokenTodos {

    private BrokenTodos() {}

    static Function<InMemoryScheduleStore, ScheduleStore> by(Function<ListStore, ListStore> breaking) {
        return store -> new PassThroughStore(store) {
            @Override
            public ListStore todos() {
                return breaking.apply(intact.todos());
            }
        };
    }

    static ListStore removesMoved(ListStore todos) {
        return new PassThroughTodos(todos) {
            @Override
            public int removeUnmoved(List<ListItem> items) {
                return intact.remove(items.stream().map(ListItem::key).toList());
            }
        };
    }

    static ListStore overdueEarly(ListStore todos) {
        return new PassThroughTodos(todos) {
            @Override
            public List<ListItem> overdue(String list, Instant now, @Nullable ListItem after, int limit) {
                return intact.overdue(list, now.plusNanos(1_000), after, limit);
            }
        };
    }

    static ListStore newestFirst(ListStore todos) {
        return new PassThroughTodos(todos) {
            @Override
            public List<ListItem> overdue(String list, Instant now, @Nullable ListItem after, int limit) {
                List<ListItem> turned = new ArrayList<>(intact.overdue(list, now, after, limit));
                Collections.reverse(turned);
                return turned;
            }
        };
    }

    static ListStore forgetsThePlace(ListStore todos) {
        return new PassThroughTodos(todos) {
            @Override
            public List<ListItem> overdue(String list, Instant now, @Nullable ListItem after, int limit) {
                return intact.overdue(list, now, null, limit);
            }
        };
    }

    static ListStore pagesByTimeAlone(ListStore todos) {
        return new PassThroughTodos(todos) {
            @Override
            public List<ListItem> overdue(String list, Instant now, @Nullable ListItem after, int limit) {
                return intact.overdue(list, now, after, Integer.MAX_VALUE).stream()
                        .filter(item -> after == null || item.overdueAt().isAfter(after.overdueAt()))
                        .limit(limit)
                        .toList();
            }
        };
    }

    static ListStore neverMoves(ListStore todos) {
        return new PassThroughTodos(todos) {
            @Override
            public void put(List<ListItem> items) {
                intact.put(items.stream()
                        .filter(item -> intact.find(item.key()).isEmpty())
                        .toList());
            }
        };
    }
}
