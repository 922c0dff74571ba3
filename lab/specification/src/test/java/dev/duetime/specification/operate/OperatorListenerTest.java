package dev.duetime.specification.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.duetime.StoreException;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.admin.QueuePause;
import dev.duetime.admin.TimerAdmin;
import dev.duetime.listener.OperatorAction;
import dev.duetime.listener.OperatorAction.Kind;
import dev.duetime.listener.OperatorListener;
import dev.duetime.specification.LogLines;
import dev.duetime.store.StoreAdmin;
import dev.duetime.store.TimerVersion;
import dev.duetime.testkit.PassThroughAdmin;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The rule that each call of an operator that changes something is reported once, with the operator's name. */
class OperatorListenerTest {
    private static final TimerQuery LATER = TimerQuery.all().queue("default");

    private final List<OperatorAction> actions = new ArrayList<>();
    private final TimerKit kit = TimerKit.builder()
            .configure(settings -> settings.listener((OperatorListener) actions::add))
            .build();
    private final TimerAdmin anna = kit.scheduler().admin().by("anna");

    private void schedule(int timers) {
        kit.scheduler()
                .scheduleAll(IntStream.range(0, timers)
                        .mapToObj(i -> Timer.after("t" + i, Duration.ofHours(1)).build())
                        .toList());
    }

    private OperatorAction action(@Nullable String operator, Kind kind, String subject, long timers) {
        return new OperatorAction(operator, kind, subject, timers, false, kit.now());
    }

    @Test
    void eachCallThatChangesSomethingIsReportedOnce() {
        schedule(5);

        anna.deliverNow(TimerKey.of("t0"));
        anna.cancel(TimerKey.of("t4"));
        anna.cancel(TimerKey.of("t4"));
        anna.pause("default", "the broker is full");
        anna.resume("default");
        anna.cancel(LATER.idPrefix("t").limit(1));
        anna.purge(LATER.state(TimerState.CANCELLED), kit.now().plusSeconds(1));
        kit.scheduler().admin().pause("default");

        assertThat(actions)
                .containsExactly(
                        action("anna", Kind.DELIVER, "timer default/t0", 1),
                        action("anna", Kind.CANCEL, "timer default/t4", 1),
                        action("anna", Kind.PAUSE, "queue default", 0),
                        action("anna", Kind.RESUME, "queue default", 0),
                        action("anna", Kind.CANCEL, "timers with queue default, idPrefix t", 4),
                        action("anna", Kind.PURGE, "timers with state CANCELLED, queue default", 5),
                        action(null, Kind.PAUSE, "queue default", 0));
    }

    @Test
    void aCallThatChangesNothingIsNotReported() {
        anna.revive(TimerKey.of("none"));
        anna.cancel(LATER);
        anna.resume("default");
        assertThatThrownBy(() -> anna.pause("nowhere")).isInstanceOf(IllegalArgumentException.class);

        assertThat(actions).isEmpty();
    }

    @Test
    void aReportIsLoggedOnceWithoutLineBreaks() {
        schedule(1);
        try (LogLines lines = LogLines.ofDuetime()) {
            anna.cancel(LATER.idPrefix("t"));

            assertThat(lines.messages(Level.INFO))
                    .filteredOn(line -> line.contains("anna"))
                    .containsExactly("cancel by operator anna on timers with queue default, idPrefix t: 1 timers");
        }
    }

    @Test
    void aPauseShowsWhoPausedAndWhy() {
        anna.pause("default", "the broker is full");

        QueuePause pause = anna.queues().get(0).pause();
        assertThat(pause).isNotNull();
        assertThat(pause.operator()).isEqualTo("anna");
        assertThat(pause.reason()).isEqualTo("the broker is full");
        assertThat(pause.since()).isEqualTo(kit.now());
    }

    @Test
    void anOperatorMustHaveANameAndAReasonMustBeALine() {
        assertThatThrownBy(() -> anna.by("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> anna.by("a\nb")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> anna.pause("default", "")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aBulkOperationStopsWhenItsWatcherSaysSo() {
        schedule(10);
        List<Integer> batches = new ArrayList<>();
        TimerAdmin watched = anna.watched(batch -> {
            batches.add(batch);
            return batches.size() < 2;
        });

        assertThat(watched.cancel(LATER.limit(3))).isEqualTo(6);

        assertThat(batches).containsExactly(3, 3);
        assertThat(actions).containsExactly(action("anna", Kind.CANCEL, "timers with queue default", 6));
        assertThat(anna.cancel(LATER)).isEqualTo(4);
    }

    @Test
    void aBulkOperationThatFailsIsReportedWithWhatItHasChanged() {
        schedule(10);
        int before = kit.node(0).calls(StoreCall.CANCEL_MANY);
        kit.node(0)
                .storeDown(
                        call -> call == StoreCall.CANCEL_MANY && kit.node(0).calls(StoreCall.CANCEL_MANY) > before + 2);

        assertThatThrownBy(() -> anna.cancel(LATER.limit(3))).isInstanceOf(StoreException.class);
        kit.node(0).storeUp();

        assertThat(actions)
                .containsExactly(
                        new OperatorAction("anna", Kind.CANCEL, "timers with queue default", 6, true, kit.now()));
        assertThat(anna.cancel(LATER)).isEqualTo(4);
    }

    @Test
    void aStoreThatAsksForSmallerBatchesGetsThem() {
        List<Integer> written = new ArrayList<>();
        InMemoryScheduleStore memory = new InMemoryScheduleStore(new TestClock());
        StoreAdmin small = new PassThroughAdmin(memory.admin()) {
            @Override
            public int changedAtOnce(List<TimerVersion> timers) {
                return Math.min(3, timers.size());
            }

            @Override
            public int cancel(List<TimerVersion> timers, Instant now) {
                written.add(timers.size());
                return super.cancel(timers, now);
            }
        };
        try (TimerKit other = TimerKit.builder()
                .store(new PassThroughStore(memory) {
                    @Override
                    public StoreAdmin admin() {
                        return small;
                    }
                })
                .build()) {
            for (int i = 0; i < 10; i++) {
                other.scheduler()
                        .schedule(Timer.after("t" + i, Duration.ofHours(1)).build());
            }
            List<Integer> batches = new ArrayList<>();
            TimerAdmin watched = other.scheduler().admin().watched(batch -> batches.add(batch));

            assertThat(watched.cancel(LATER.limit(5))).isEqualTo(10);

            assertThat(written).containsExactly(3, 2, 3, 2);
            assertThat(batches).startsWith(3, 2, 3, 2);
        }
    }
}
