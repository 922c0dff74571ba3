package dev.duetime.specification.hosts;

import dev.duetime.SchedulerBuilder;
import dev.duetime.TimerKey;
import dev.duetime.hosts.HostSet;
import dev.duetime.hosts.HostSetBuilder;
import dev.duetime.specification.StoppedClock;
import dev.duetime.store.ScheduleStore;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.FaultyStore;
import dev.duetime.testkit.fault.StoreCall;
import dev.duetime.testkit.fault.StoreFaults;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.todo.TodoQueue;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Databases in memory, each of which can be made unavailable, and kits of nodes on sets of them. */
final class HostsKit {
    private final Map<String, InMemoryScheduleStore> databases = new TreeMap<>();
    private final Map<String, StoreFaults> faults = new TreeMap<>();

    InMemoryScheduleStore database(String name) {
        return databases.computeIfAbsent(name, host -> new InMemoryScheduleStore(new StoppedClock()));
    }

    private StoreFaults faults(String name) {
        return faults.computeIfAbsent(name, host -> new StoreFaults("test", () -> {}));
    }

    ScheduleStore store(String name) {
        return new FaultyStore(database(name), faults(name));
    }

    void fail(String name, StoreCall call) {
        faults(name).add(call, StoreFaults.Moment.BEFORE, StoreFaults.Effect.FAIL);
    }

    /** Lets the next call of this kind collide with another transaction. */
    void collide(String name, StoreCall call) {
        faults(name).add(call, StoreFaults.Moment.BEFORE, StoreFaults.Effect.COLLIDE);
    }

    /** Returns how many calls of this kind the host has got. */
    int calls(String name, StoreCall call) {
        return faults(name).calls(call);
    }

    void down(String name) {
        faults(name).unavailable(call -> true);
    }

    void up(String name) {
        faults(name).unavailable(call -> false);
    }

    /** Names hosts: "a" was there from the start, "+c" was added, "-d" is draining. */
    HostSet hosts(String... names) {
        HostSetBuilder builder = HostSet.builder();
        for (String name : names) {
            String bare = name.replaceAll("^[+-]", "");
            if (name.startsWith("+")) {
                builder.added(bare, store(bare));
            } else if (name.startsWith("-")) {
                builder.draining(bare, store(bare));
            } else {
                builder.host(bare, store(bare));
            }
        }
        return builder.build();
    }

    static TimerKit kit(HostSet hosts, int nodes, Consumer<SchedulerBuilder> settings) {
        return TimerKit.builder().store(hosts).nodes(nodes).configure(settings).build();
    }

    /** Returns ids of which the host says that they are at home there. */
    static List<String> idsOn(HostSet hosts, String host, int count) {
        return IntStream.range(0, 10_000)
                .mapToObj(i -> "t-" + i)
                .filter(id -> hosts.hostOf(TimerKey.of(id)).equals(host))
                .limit(count)
                .toList();
    }

    /** Returns ids of todos that are at home there. */
    static List<String> todosOn(HostSet hosts, TodoQueue queue, String host, int count) {
        return IntStream.range(0, 10_000)
                .mapToObj(i -> "t-" + i)
                .filter(id -> hosts.hostOf(queue.key(id)).equals(host))
                .limit(count)
                .toList();
    }

    /** Returns routing keys that are at home there. */
    static List<String> keysOn(HostSet hosts, String host, int count) {
        return IntStream.range(0, 10_000)
                .mapToObj(i -> "key-" + i)
                .filter(key -> hosts.hostOf(key).equals(host))
                .limit(count)
                .toList();
    }

    boolean has(String host, String id) {
        return database(host).find(TimerKey.of(id)).isPresent();
    }
}
