package dev.duetime.hosts;

import dev.duetime.TimerKey;
import dev.duetime.store.NewTimer;
import dev.duetime.store.TimerWrites;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/** A search for the hosts of timers that are being scheduled; see {@link HostStores#places}. Thread-safe. */
final class HostPlaces {
    private final HostStores hosts;
    private final boolean everywhere;

    HostPlaces(HostStores hosts, boolean everywhere) {
        this.hosts = hosts;
        this.everywhere = everywhere;
    }

    /**
     * Returns the indexes of the timers by their hosts.
     *
     * @param on returns what reads on a host
     */
    SortedMap<String, List<Integer>> of(List<NewTimer> timers, Function<String, TimerWrites> on) {
        Map<TimerKey, String> first = new HashMap<>();
        SortedMap<String, List<Integer>> places = new TreeMap<>();
        for (int i = 0; i < timers.size(); i++) {
            NewTimer timer = timers.get(i);
            String host = first.computeIfAbsent(timer.key(), key -> place(timer, on));
            places.computeIfAbsent(host, name -> new ArrayList<>()).add(i);
        }
        return places;
    }

    private String place(NewTimer timer, Function<String, TimerWrites> on) {
        List<String> homes = hosts.ranking().homes(HostRanking.hash(timer));
        if (everywhere) {
            homes = Stream.concat(homes.stream(), hosts.names().stream())
                    .distinct()
                    .toList();
        }
        if (homes.size() == 1) {
            return homes.get(0);
        }
        for (String former : homes) {
            if (hosts.call(former, () -> on.apply(former).find(timer.key())).isPresent()) {
                return former;
            }
        }
        String correlationKey = timer.content().correlationKey();
        if (correlationKey != null) {
            String queue = timer.content().queue();
            String tenantId = timer.key().tenantId();
            String type = timer.content().type();
            for (String former : homes.subList(1, homes.size())) {
                if (hosts.call(
                                former,
                                () -> on.apply(former).correlated().waiting(queue, tenantId, correlationKey, type))
                        .isPresent()) {
                    return former;
                }
            }
        }
        return homes.get(0);
    }
}
