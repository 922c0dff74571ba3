package dev.duetime.engine.todo;

import dev.duetime.StoredTimer;
import dev.duetime.engine.limits.QueuePermits;
import dev.duetime.engine.todo.TodoLane.Entry;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * How many todos of types and tenants with limits the buffer may hold. Each has room for what can begin in about a
 * second, and all together have the bytes of one read. A type or tenant may always have one todo here. Guarded by the
 * lock of its {@link TodoBuffer}.
 */
final class LimitedTodos {
    /** The number of todos of a limited type or tenant that the buffer holds at least, if their payloads are small. */
    private static final int LEAST = 32;

    /** At this part of the most the buffer has room for more of them. */
    private static final int FEW = 4;

    private final QueuePermits permits;
    private final Supplier<Stream<Entry>> waiting;
    private final long readBytes;

    LimitedTodos(QueuePermits permits, Supplier<Stream<Entry>> waiting, long readBytes) {
        this.permits = permits;
        this.waiting = waiting;
        this.readBytes = readBytes;
    }

    static String typeOf(StoredTimer todo) {
        return todo.content().type();
    }

    static String tenantOf(StoredTimer todo) {
        return todo.key().tenantId();
    }

    /** Counts the todos that wait. */
    Counts count() {
        return new Counts();
    }

    /** How many todos of one type or tenant wait, and how many bytes their payloads have. */
    private static final class Held {
        private final long most;
        private long count;
        private long bytes;

        Held(long most) {
            this.most = most;
        }

        boolean isLimited() {
            return most < Long.MAX_VALUE;
        }

        boolean isFull(long mostBytes) {
            return count >= most || (isLimited() && count > 0 && bytes >= mostBytes);
        }

        boolean hasRoom(long mostBytes) {
            return count == 0 || (count <= most / FEW && (!isLimited() || bytes <= mostBytes / FEW));
        }

        void add(StoredTimer todo) {
            count++;
            bytes += todo.content().payload().size();
        }
    }

    /** The todos that wait now, and those that are added. */
    final class Counts {
        private final long mostOfTenant = Math.max(LEAST, permits.mostOfTenant());
        private final Map<String, Held> byType = new HashMap<>();
        private final Map<String, Held> byTenant = new HashMap<>();

        /** How many bytes each type and tenant may have. */
        private final long mostBytes;

        private Counts() {
            waiting.get().forEach(each -> add(each.todo));
            long groups = Stream.of(byType, byTenant)
                    .flatMap(each -> each.values().stream())
                    .filter(Held::isLimited)
                    .count();
            mostBytes = readBytes / (1 + Math.max(1, groups));
        }

        void add(StoredTimer todo) {
            ofType(typeOf(todo)).add(todo);
            ofTenant(tenantOf(todo)).add(todo);
        }

        private Held ofType(String type) {
            Function<String, Held> empty = each -> new Held(Math.max(LEAST, permits.mostOfType(each)));
            return byType.computeIfAbsent(type, empty);
        }

        private Held ofTenant(String tenant) {
            return byTenant.computeIfAbsent(tenant, each -> new Held(mostOfTenant));
        }

        boolean isFullOfType(StoredTimer todo) {
            return ofType(typeOf(todo)).isFull(mostBytes);
        }

        boolean isFullOfTenant(StoredTimer todo) {
            return ofTenant(tenantOf(todo)).isFull(mostBytes);
        }

        boolean hasRoomOfType(String type) {
            return ofType(type).hasRoom(mostBytes);
        }

        boolean hasRoomOfTenant(String tenant) {
            return ofTenant(tenant).hasRoom(mostBytes);
        }
    }
}
