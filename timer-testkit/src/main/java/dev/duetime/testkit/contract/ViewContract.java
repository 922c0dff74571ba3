package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.admin.BoundedCount;
import dev.duetime.admin.DeadGroups;
import dev.duetime.admin.DeadGroups.DeadGroup;
import dev.duetime.admin.DueCount;
import dev.duetime.admin.TimerSummary;
import dev.duetime.admin.TimerViews;
import dev.duetime.admin.UpcomingQuery;
import dev.duetime.store.NewTimer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The rules of the reads for pages of operators. */
abstract class ViewContract extends ContractPart {
    private static final int SHARDS = 4;

    ViewContract(ScheduleStoreContract author) {
        super(author);
    }

    @BeforeEach
    void openQueues() {
        store().leases().open(queue, OptionalInt.of(SHARDS));
        store().leases().open(otherQueue, OptionalInt.of(SHARDS));
    }

    @Test
    void upcomingTimersAreInTheOrderInWhichTheyWake() {
        StoredTimer retried = given(timer("first").shard(1));
        store().settle(List.of(retried(retried, NOW.plusSeconds(5))));
        given(timer("b").shard(3).dueAt(NOW.plusSeconds(2)));
        given(timer("a").shard(2).dueAt(NOW.plusSeconds(2)));
        given(timer("overdue").dueAt(NOW.minusSeconds(60)));
        given(timer("ended").dueAt(NOW), TimerState.REACHED);
        given(timer("other").queue(otherQueue).dueAt(NOW));

        assertThat(ids(UpcomingQuery.of(queue))).containsExactly("overdue", "a", "b", "first");
        assertThat(ids(UpcomingQuery.of(queue).from(NOW.plusSeconds(2)).limit(2)))
                .containsExactly("a", "b");
        assertThat(ids(UpcomingQuery.of(queue).from(NOW.plusSeconds(2).plus(TICK))))
                .containsExactly("first");
        assertThat(views().upcoming(UpcomingQuery.of(queue).limit(1)))
                .containsExactly(TimerSummary.of(stored("overdue")));
    }

    @Test
    void pagesOfUpcomingTimersShowEachTimerOnce() {
        List<TimerKey> expected = new ArrayList<>();
        List<String> tenants = List.of(tenant, otherTenant);
        IntStream.range(0, 24).forEach(i -> {
            TimerKey key = TimerKey.of(tenants.get(i % 2), "id " + i);
            given(timer(key).shard(i % SHARDS).dueAt(NOW.plusSeconds(i / 12)));
            expected.add(key);
        });
        // The order of UTF-8 and that of UTF-16 differ for these.
        for (String id : List.of("\uD83D\uDE00", "\uFF41", "\uE000")) {
            given(timer(id).dueAt(NOW));
            expected.add(key(id));
        }

        for (int limit : new int[] {1, 5, 26, 27}) {
            List<TimerKey> walked = new ArrayList<>();
            UpcomingQuery next = UpcomingQuery.of(queue).limit(limit);
            List<TimerSummary> page = views().upcoming(next);
            while (!page.isEmpty() && walked.size() < 1_000) {
                page.forEach(timer -> walked.add(timer.key()));
                next = next.after(page.get(page.size() - 1));
                page = views().upcoming(next);
            }
            assertThat(walked).containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    /** A store that reads a part of each shard at first has to read on in the one that has the most. */
    @Test
    void aPageIsFullHoweverItsTimersLieInTheShards() {
        List<NewTimer> timers = IntStream.range(0, 120)
                .mapToObj(i -> timer("id " + i)
                        .shard(i % 10 == 0 ? i / 10 % SHARDS : 1)
                        .dueAt(NOW.plusSeconds(i / 3))
                        .build())
                .toList();
        store().schedule(timers);
        List<String> expected = timers.stream()
                .sorted(Comparator.comparing((NewTimer each) -> each.content().dueAt())
                        .thenComparing(NewTimer::key))
                .map(each -> each.key().timerId())
                .toList();

        List<String> walked = new ArrayList<>();
        UpcomingQuery next = UpcomingQuery.of(queue).limit(50);
        for (int expectedSize : new int[] {50, 50, 20}) {
            List<TimerSummary> page = views().upcoming(next);
            assertThat(page).hasSize(expectedSize);
            page.forEach(each -> walked.add(each.key().timerId()));
            next = next.after(page.get(page.size() - 1));
        }
        assertThat(walked).containsExactlyElementsOf(expected);
    }

    @Test
    void aQueueThatWasNeverOpenedHasNothingUpcoming() {
        String unknown = unique("q");

        assertThat(views().upcoming(UpcomingQuery.of(unknown))).isEmpty();
        assertThat(views().forecast(unknown, NOW, Duration.ofHours(1), 2))
                .extracting(DueCount::timers)
                .containsExactly(0L, 0L);
    }

    @Test
    void aCountStopsAtItsBound() {
        IntStream.range(0, 5)
                .forEach(i -> given(timer("t" + i).shard(i % SHARDS).type(i < 2 ? "x" : "y")));
        given(timer("d"), TimerState.DEAD);
        given(timer("o").queue(otherQueue));
        TimerQuery scheduled = TimerQuery.all().queue(queue).state(TimerState.SCHEDULED);

        assertThat(views().countUpTo(scheduled, 4)).isEqualTo(new BoundedCount(4, false));
        assertThat(views().countUpTo(scheduled, 5)).isEqualTo(new BoundedCount(5, true));
        assertThat(views().countUpTo(scheduled, 50_000)).isEqualTo(new BoundedCount(5, true));
        TimerQuery ofTenant = TimerQuery.all().tenantId(tenant);
        assertThat(views().countUpTo(ofTenant, 7)).isEqualTo(new BoundedCount(7, true));
        assertThat(views().countUpTo(ofTenant, 6)).isEqualTo(new BoundedCount(6, false));
        assertThat(views().countUpTo(ofTenant.type("x"), 1)).isEqualTo(new BoundedCount(1, false));
        assertThat(views().countUpTo(ofTenant.type("x"), 2)).isEqualTo(new BoundedCount(2, true));
        assertThat(views().countUpTo(ofTenant.state(TimerState.DEAD).limit(1).after(key("z")), 2))
                .isEqualTo(new BoundedCount(1, true));
        assertThatThrownBy(() -> views().countUpTo(scheduled, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void deadTimersAreGroupedByQueueTypeAndErrorClass() {
        dead("a", "mail", "java.io.IOException: no route");
        dead("b", "mail", "java.io.IOException: reset");
        dead("c", "mail", "java.io.IOException");
        dead("d", "mail", "timeout: 1 s");
        dead("e", "sms", "java.io.IOException");
        given(timer("f").type("mail"), TimerState.EXPIRED);
        given(timer(TimerKey.of(otherTenant, "g")).type("mail"), TimerState.DEAD);

        DeadGroups all = views().deadGroups(TimerQuery.all().tenantId(tenant));
        assertThat(all.groups())
                .containsExactly(
                        new DeadGroup(queue, "mail", "java.io.IOException", 3, NOW),
                        new DeadGroup(queue, "mail", "timeout", 1, NOW),
                        new DeadGroup(queue, "sms", "java.io.IOException", 1, NOW));
        assertThat(all.isComplete()).isTrue();
        assertThat(views().deadGroups(TimerQuery.all()
                                .tenantId(tenant)
                                .type("sms")
                                .limit(1)
                                .after(key("z")))
                        .groups())
                .containsExactly(new DeadGroup(queue, "sms", "java.io.IOException", 1, NOW));
        assertThat(views().deadGroups(TimerQuery.all().queue(queue).errorClass("gave up"))
                        .groups())
                .containsExactly(new DeadGroup(queue, "mail", "gave up", 1, NOW));
    }

    /** A database groups by the class, whose length is limited. */
    @Test
    void aLongErrorClassIsCutAndFindsItsTimers() {
        String longest = "x".repeat(255);
        dead("a", "mail", longest + ": gone");
        dead("b", "mail", longest + "y: gone");
        dead("c", "mail", longest + "z");
        dead("d", "mail", "x".repeat(254) + ": gone");
        TimerQuery all = TimerQuery.all().tenantId(tenant);

        assertThat(views().deadGroups(all).groups())
                .containsExactly(
                        new DeadGroup(queue, "mail", longest, 3, NOW),
                        new DeadGroup(queue, "mail", "x".repeat(254), 1, NOW));
        for (String each : List.of(longest, longest + "y")) {
            assertThat(views().countUpTo(all.errorClass(each), 10)).isEqualTo(new BoundedCount(3, true));
            assertThat(views().deadGroups(all.errorClass(each)).groups())
                    .containsExactly(new DeadGroup(queue, "mail", longest, 3, NOW));
        }
    }

    private void dead(String id, String type, String error) {
        store().settle(List.of(ended(given(timer(id).type(type)), TimerState.DEAD, failure(error))));
    }

    @Test
    void aForecastCountsTimersByTheTimeAtWhichTheyWake() {
        Duration hour = Duration.ofHours(1);
        given(timer("before").dueAt(NOW.minus(TICK)));
        given(timer("first").shard(1).dueAt(NOW));
        given(timer("last").shard(2).dueAt(NOW.plus(hour).minus(TICK)));
        given(timer("second").shard(3).dueAt(NOW.plus(hour)));
        given(timer("after").dueAt(NOW.plus(hour.multipliedBy(3))));
        given(timer("ended").dueAt(NOW), TimerState.CANCELLED);
        given(timer("other").queue(otherQueue).dueAt(NOW));

        assertThat(views().forecast(queue, NOW, hour, 3))
                .containsExactly(
                        new DueCount(NOW, NOW.plus(hour), 2, true),
                        new DueCount(NOW.plus(hour), NOW.plus(hour.multipliedBy(2)), 1, true),
                        new DueCount(NOW.plus(hour.multipliedBy(2)), NOW.plus(hour.multipliedBy(3)), 0, true));
    }

    @Test
    void aForecastOfManyTimersSaysThatItIsAnEstimate() {
        store().schedule(IntStream.range(0, 300)
                .mapToObj(i -> timer("id " + i).shard(1).build())
                .toList());

        DueCount slot = views().forecast(queue, NOW, Duration.ofHours(1), 1).get(0);

        assertThat(slot.timers()).isGreaterThanOrEqualTo(250);
        assertThat(slot.isExact()).isEqualTo(slot.timers() == 300);
    }

    private List<String> ids(UpcomingQuery query) {
        return views().upcoming(query).stream()
                .map(timer -> timer.key().timerId())
                .toList();
    }

    private TimerViews views() {
        return store().admin().views();
    }
}
