package dev.duetime.engine.todo;

import dev.duetime.StoredTimer;
import dev.duetime.engine.limits.QueuePermits;
import dev.duetime.engine.todo.TodoLane.Entry;
import dev.duetime.internal.timer.StoredTimers;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How many todos of types and tenants with limits the buffer may hold. Each has room for what can begin in about a
 * second, and all together have the bytes of one read. A type or tenant may always have one todo here. Todos that wait
 * for the runs of their own parallel key take no room from other keys. Guarded by the lock of its {@link TodoBuffer}.
 */
final class LimitedTodos {
    /** The number of todos of a limited type or tenant that the buffer holds at least, if they are small. */
    private static final int LEAST = 32;

    /** At this part of the most the buffer has room for more of them. */
    private static final int FEW = 4;

    /** The part of the most that reads of other tenants may add. */
    private static final int EXTRA = 2;

    /** The largest part of them that one parallel key may have. */
    private static final int OF_KEY = 2;

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

    /** How many todos of one type or tenant wait, and how many bytes they have. */
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
            return count >= most || (count > 0 && isHeavy(mostBytes));
        }

        boolean isHeavy(long mostBytes) {
            return isLimited() && bytes >= mostBytes;
        }

        boolean hasExtraRoom(long mostBytes) {
            return count < most + most / EXTRA && bytes < mostBytes + mostBytes / EXTRA;
        }

        boolean isFullOfKey(long ofKey, long mostBytes) {
            return ofKey > 0 && (ofKey >= most / OF_KEY || isHeavy(mostBytes));
        }

        boolean hasRoom(long mostBytes) {
            return count == 0 || (count <= most / FEW && (!isLimited() || bytes <= mostBytes / FEW));
        }

        void add(StoredTimer todo, boolean counts) {
            count += counts ? 1 : 0;
            bytes += StoredTimers.bytes(todo);
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
            waiting.get().forEach(each -> add(each.todo, each.lane));
            long groups = Stream.of(byType, byTenant)
                    .flatMap(each -> each.values().stream())
                    .filter(Held::isLimited)
                    .count();
            mostBytes = readBytes / (1 + Math.max(1, groups));
        }

        /**
         * Adds a todo.
         *
         * @param lane the lane in which it waits; null if it has one of its own
         */
        void add(StoredTimer todo, @Nullable TodoLane lane) {
            boolean counts = lane == null || !lane.isBusy();
            ofType(typeOf(todo)).add(todo, counts);
            ofTenant(tenantOf(todo)).add(todo, counts);
        }

        private Held ofType(String type) {
            Function<String, Held> empty = each -> new Held(Math.max(LEAST, permits.mostOfType(each)));
            return byType.computeIfAbsent(type, empty);
        }

        private Held ofTenant(String tenant) {
            return byTenant.computeIfAbsent(tenant, each -> new Held(mostOfTenant));
        }

        long mostOfType(String type) {
            return ofType(type).most;
        }

        /** Returns whether the buffer may hold one more todo of a full type, so that tenants take turns. */
        boolean hasExtraRoomOfType(StoredTimer todo) {
            return ofType(typeOf(todo)).hasExtraRoom(mostBytes);
        }

        boolean isFullOfType(StoredTimer todo) {
            return ofType(typeOf(todo)).isFull(mostBytes);
        }

        boolean isFullOfTenant(StoredTimer todo) {
            return ofTenant(tenantOf(todo)).isFull(mostBytes);
        }

        /** Returns whether a lane has no room for one more todo. Then reads leave out its key only. */
        boolean isFullOfKey(StoredTimer todo, TodoLane lane) {
            return ofType(typeOf(todo)).isFullOfKey(lane.waiting(), mostBytes)
                    || ofTenant(tenantOf(todo)).isFullOfKey(lane.waiting(), mostBytes);
        }

        boolean hasRoomOfType(String type) {
            return ofType(type).hasRoom(mostBytes);
        }

        boolean hasRoomOfTenant(String tenant) {
            return ofTenant(tenant).hasRoom(mostBytes);
        }
    }
}
