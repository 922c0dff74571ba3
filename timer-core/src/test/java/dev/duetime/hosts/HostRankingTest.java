package dev.duetime.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.TimerKey;
import dev.duetime.hosts.HostRanking.Host;
import dev.duetime.hosts.HostRanking.Role;
import dev.duetime.internal.StableHash;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HostRankingTest {
    private static final int KEYS = 100_000;

    private static HostRanking ranking(Role role, String... names) {
        return new HostRanking(
                Arrays.stream(names).map(name -> new Host(name, role)).toList());
    }

    private static long key(int i) {
        return HostRanking.hash(TimerKey.of("order-" + i));
    }

    /** Other processes, versions and machines must compute the same. So these values never change. */
    @Test
    void aKeyHasTheSameHomeForEver() {
        HostRanking ranking = ranking(Role.FROM_THE_START, "a", "b", "c");

        List<String> homes =
                IntStream.range(0, 12).mapToObj(i -> ranking.home(key(i))).toList();

        assertThat(String.join("", homes)).isEqualTo("ccabcccbcabb");
        assertThat(ranking.home(StableHash.of("account-17"))).isEqualTo("b");
    }

    @Test
    void theOrderInWhichHostsAreNamedDoesNotMatter() {
        HostRanking one = ranking(Role.FROM_THE_START, "a", "b", "c");
        HostRanking other = ranking(Role.FROM_THE_START, "c", "a", "b");

        assertThat(IntStream.range(0, 1_000).filter(i -> !one.home(key(i)).equals(other.home(key(i)))))
                .isEmpty();
    }

    @Test
    void keysSpreadEvenly() {
        for (int hosts = 2; hosts <= 8; hosts++) {
            String[] names = IntStream.range(0, hosts).mapToObj(i -> "db-" + i).toArray(String[]::new);
            HostRanking ranking = ranking(Role.FROM_THE_START, names);

            Map<String, Long> counts = IntStream.range(0, KEYS)
                    .mapToObj(i -> ranking.home(key(i)))
                    .collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting()));

            long even = KEYS / hosts;
            assertThat(counts).hasSize(hosts);
            assertThat(Collections.max(counts.values())).isLessThan(even * 103 / 100);
            assertThat(Collections.min(counts.values())).isGreaterThan(even * 97 / 100);
        }
    }

    @Test
    void aNewHostTakesItsShareOfTheKeys() {
        for (int hosts = 1; hosts <= 7; hosts++) {
            String[] names = IntStream.range(0, hosts).mapToObj(i -> "db-" + i).toArray(String[]::new);
            String[] more = Arrays.copyOf(names, hosts + 1);
            more[hosts] = "db-new";
            HostRanking before = ranking(Role.FROM_THE_START, names);
            HostRanking after = ranking(Role.FROM_THE_START, more);
            int moved = 0;
            for (int i = 0; i < KEYS; i++) {
                String home = after.home(key(i));
                if (!home.equals(before.home(key(i)))) {
                    moved++;
                    assertThat(home).isEqualTo("db-new");
                }
            }
            int share = KEYS / (hosts + 1);
            assertThat(moved).isBetween(share * 97 / 100, share * 103 / 100);
        }
    }

    @Test
    void inTheSteadyStateNoOtherHostIsAsked() {
        HostRanking ranking = ranking(Role.FROM_THE_START, "a", "b", "c");

        assertThat(IntStream.range(0, 1_000)
                        .mapToObj(i -> ranking.homes(key(i)))
                        .filter(homes -> homes.size() != 1))
                .isEmpty();
    }

    @Test
    void aDrainingHostIsNoHome() {
        HostRanking ranking = new HostRanking(List.of(
                new Host("a", Role.FROM_THE_START), new Host("b", Role.FROM_THE_START), new Host("d", Role.DRAINING)));
        HostRanking before = ranking(Role.FROM_THE_START, "a", "b", "d");

        for (int i = 0; i < 10_000; i++) {
            List<String> homes = ranking.homes(key(i));
            assertThat(homes.get(0)).isIn("a", "b");
            if (before.home(key(i)).equals("d")) {
                assertThat(homes).hasSize(2).endsWith("d");
            } else {
                assertThat(homes).containsExactly(before.home(key(i)));
            }
        }
    }

    /** In whatever order hosts were added and removed, the host of a stored key is asked. */
    @Test
    void everyFormerHomeIsAmongThoseThatAreAsked() {
        List<List<String>> history = List.of(
                List.of("a", "b"),
                List.of("a", "b", "d"),
                List.of("a", "b"),
                List.of("a", "b", "c"),
                List.of("a", "b", "c", "e"),
                List.of("a", "b", "e"),
                List.of("a", "b", "e", "f"));
        HostRanking now = new HostRanking(List.of(
                new Host("a", Role.FROM_THE_START),
                new Host("b", Role.FROM_THE_START),
                new Host("c", Role.DRAINING),
                new Host("d", Role.DRAINING),
                new Host("e", Role.ADDED),
                new Host("f", Role.ADDED)));
        int several = 0;
        for (int i = 0; i < 20_000; i++) {
            Set<String> former = new HashSet<>();
            for (List<String> active : history) {
                former.add(ranking(Role.FROM_THE_START, active.toArray(String[]::new))
                        .home(key(i)));
            }
            assertThat(now.homes(key(i))).containsAll(former);
            assertThat(now.home(key(i)))
                    .isEqualTo(ranking(Role.FROM_THE_START, "a", "b", "e", "f").home(key(i)));
            several += former.size() > 1 ? 1 : 0;
        }
        assertThat(several).isGreaterThan(5_000);
    }

    private static HostRanking beside(Role role) {
        return new HostRanking(List.of(
                new Host("a", Role.FROM_THE_START),
                new Host("b", Role.FROM_THE_START),
                new Host("c", Role.ADDED),
                new Host("x", role)));
    }

    private static long asked(HostRanking one, HostRanking other) {
        return IntStream.range(0, 10_000)
                .filter(i -> one.homes(key(i)).contains(other.home(key(i)))
                        && other.homes(key(i)).contains(one.home(key(i))))
                .count();
    }

    /** While nodes get the new set one after the other, each finds the keys that the others place. */
    @Test
    void nodesOfNeighbouringConfigurationsAskEachOthersHomes() {
        HostRanking host = beside(Role.FROM_THE_START);
        HostRanking added = beside(Role.ADDED);
        HostRanking draining = beside(Role.DRAINING);

        assertThat(asked(host, added)).isEqualTo(10_000);
        assertThat(asked(added, draining)).isEqualTo(10_000);
        assertThat(asked(host, draining)).as("no neighbours").isLessThan(8_000);
    }
}
