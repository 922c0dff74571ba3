package dev.duetime.hosts;

import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.admin.NodeSample;
import dev.duetime.admin.Occurrence;
import dev.duetime.admin.QueuePause;
import dev.duetime.admin.TimerCount;
import dev.duetime.admin.TimerViews;
import dev.duetime.internal.inside.FirstFailure;
import dev.duetime.store.Revival;
import dev.duetime.store.StoreAdmin;
import dev.duetime.store.TimerVersion;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The operations of an operator on all hosts, each host in its own transaction. If a host is away, the operation still
 * runs on the others, and then throws. Thread-safe.
 */
final class HostAdmin implements StoreAdmin {
    private final HostStores hosts;
    private final UnaryOperator<StoreAdmin> kind;

    HostAdmin(HostStores hosts) {
        this(hosts, UnaryOperator.identity());
    }

    private HostAdmin(HostStores hosts, UnaryOperator<StoreAdmin> kind) {
        this.hosts = hosts;
        this.kind = kind;
    }

    @Override
    public StoreAdmin brief() {
        return new HostAdmin(hosts, StoreAdmin::brief);
    }

    /** Merges pages in the order of their keys. */
    static <T> List<T> page(List<List<T>> pages, Function<T, TimerKey> key, int limit) {
        return pages.stream()
                .flatMap(List::stream)
                .sorted(Comparator.comparing(key))
                .limit(limit)
                .toList();
    }

    @Override
    public List<TimerCount> count(TimerQuery query) {
        Map<TimerCount, Long> sums = new LinkedHashMap<>();
        hosts.each(store -> store.admin().count(query)).stream()
                .flatMap(List::stream)
                .forEach(each -> sums.merge(new TimerCount(each.queue(), each.state(), 0), each.timers(), Long::sum));
        return sums.entrySet().stream()
                .map(each -> new TimerCount(each.getKey().queue(), each.getKey().state(), each.getValue()))
                .toList();
    }

    @Override
    public TimerVersion.Page versions(TimerQuery query, @Nullable Instant endedBefore) {
        List<TimerVersion.Page> pages = hosts.each(store -> store.admin().versions(query, endedBefore));
        // No further than where the first of the hosts stopped.
        TimerKey end = pages.stream()
                .map(TimerVersion.Page::next)
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .orElse(null);
        List<TimerVersion> found =
                page(pages.stream().map(TimerVersion.Page::timers).toList(), TimerVersion::key, query.limit()).stream()
                        .filter(each -> end == null || each.key().compareTo(end) <= 0)
                        .toList();
        boolean isFull = found.size() == query.limit();
        return new TimerVersion.Page(found, isFull ? found.get(found.size() - 1).key() : end);
    }

    @Override
    public int changedAtOnce(List<TimerVersion> timers) {
        return hosts.each(store -> store.admin().changedAtOnce(timers)).stream()
                .mapToInt(Integer::intValue)
                .min()
                .orElse(timers.size());
    }

    @Override
    public int revive(List<Revival> revivals, Instant now) {
        return sum(admin -> admin.revive(revivals, now));
    }

    @Override
    public int deliverNow(List<Revival> timers, Instant now) {
        return sum(admin -> admin.deliverNow(timers, now));
    }

    @Override
    public int reschedule(List<Revival> timers, Instant dueAt) {
        return sum(admin -> admin.reschedule(timers, dueAt));
    }

    @Override
    public int cancel(List<TimerVersion> timers, Instant now) {
        return sum(admin -> admin.cancel(timers, now));
    }

    @Override
    public int delete(List<TimerVersion> timers) {
        return sum(admin -> admin.delete(timers));
    }

    /** If several operators pause at once, the one that paused the first host counts as the one that paused all. */
    @Override
    public boolean pause(String queue, QueuePause pause) {
        List<Boolean> paused = new ArrayList<>();
        sum(admin -> paused.add(admin.pause(queue, pause)) ? 1 : 0);
        return paused.get(0);
    }

    @Override
    public boolean resume(String queue) {
        return sum(admin -> admin.resume(queue) ? 1 : 0) > 0;
    }

    /** The engines of the hosts do not call this: each writes to its own host. */
    @Override
    public void putSamples(List<NodeSample> samples) {
        String first = hosts.names().iterator().next();
        hosts.call(first, () -> {
            hosts.store(first).admin().putSamples(samples);
            return true;
        });
    }

    @Override
    public void forgetSamples(Instant before) {
        sum(admin -> {
            admin.forgetSamples(before);
            return 0;
        });
    }

    /** The engines of the hosts do not call this: each writes to its own host. */
    @Override
    public void putOccurrences(List<Occurrence> occurrences) {
        String first = hosts.names().iterator().next();
        hosts.call(first, () -> {
            hosts.store(first).admin().putOccurrences(occurrences);
            return true;
        });
    }

    /** Deletes so many on each host. */
    @Override
    public int forgetOccurrences(Instant before, int limit) {
        return sum(admin -> admin.forgetOccurrences(before, limit));
    }

    /** Each host has the samples of its own loops. */
    @Override
    public List<NodeSample> samples() {
        return hosts.each(store -> store.admin().samples()).stream()
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public TimerViews views() {
        return new HostViews(hosts);
    }

    private int sum(Function<StoreAdmin, Integer> work) {
        FirstFailure failure = new FirstFailure();
        int sum = 0;
        for (String host : hosts.names()) {
            sum += failure.attempt(
                    () -> hosts.call(
                            host, () -> work.apply(kind.apply(hosts.store(host).admin()))),
                    0);
        }
        failure.rethrow();
        return sum;
    }
}
