package dev.duetime.specification.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.Timer;
import dev.duetime.hosts.HostSet;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** Databases in memory for the nodes of a test, and timers on them. */
abstract class OnHosts {
    static final Duration LATER = Duration.ofMinutes(6);
    private static final Duration UNTIL_SHARED = Duration.ofSeconds(30);

    final HostsKit databases = new HostsKit();

    TimerKit kit(int nodes, String... hosts) {
        TimerKit kit = HostsKit.kit(databases.hosts(hosts), nodes, settings -> {});
        kit.advance(UNTIL_SHARED);
        return kit;
    }

    static HostSet hosts(TimerKit kit) {
        return (HostSet) kit.scheduler().store();
    }

    static List<Timer> timers(String prefix, int count, Duration delay) {
        return IntStream.range(0, count)
                .mapToObj(i -> Timer.at(prefix + i, TestClock.START.plus(delay)).build())
                .toList();
    }

    static long count(List<ScheduleResult> results, ScheduleOutcome outcome) {
        return results.stream().filter(each -> each.outcome() == outcome).count();
    }

    static void assertOnce(TimerKit kit, int count) {
        assertThat(kit.delivered()).hasSize(count);
        assertThat(kit.delivered()).extracting(Envelope::id).doesNotHaveDuplicates();
    }
}
