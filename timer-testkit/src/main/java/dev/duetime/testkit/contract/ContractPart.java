package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.StoredTimer;
import dev.duetime.StoredTimer.Failure;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.internal.timer.StoredTimers;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.store.NewTimer;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.Settlement;
import dev.duetime.store.TimerVersion;
import dev.duetime.store.Transaction;
import dev.duetime.testkit.fault.Damage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One chapter of the contract. Its names are new in each test; all instants are fixed, and none is a whole millisecond.
 */
abstract class ContractPart {
    static final Instant NOW = Instant.parse("2031-05-06T07:08:09.123456Z");
    static final Duration TICK = Duration.ofNanos(1_000);
    static final List<TimerState> ENDED_FOR_GOOD = List.of(TimerState.REACHED, TimerState.EXPIRED, TimerState.DEAD);
    static final List<TimerState> TERMINAL =
            List.of(TimerState.REACHED, TimerState.EXPIRED, TimerState.DEAD, TimerState.CANCELLED);

    /** Keeps this run's names apart from those of all other runs on the same database. */
    private static final String RUN = UUID.randomUUID().toString().substring(0, 8);

    private static final AtomicLong NAMES = new AtomicLong();

    final String queue = unique("q");
    final String otherQueue = unique("q");
    final String tenant = unique("t");
    final String otherTenant = unique("t");

    private final ScheduleStoreContract author;

    ContractPart(ScheduleStoreContract author) {
        this.author = author;
    }

    static String unique(String prefix) {
        return prefix + "-" + RUN + "-" + NAMES.incrementAndGet();
    }

    final ScheduleStore store() {
        return author.store();
    }

    final <R> R inTransaction(boolean commit, Function<Transaction, R> work) {
        return author.inTransaction(commit, work);
    }

    final void damage(TimerKey key, Damage damage) {
        author.damage(key, damage);
    }

    final TimerKey key(String timerId) {
        return TimerKey.of(tenant, timerId);
    }

    final TimerDraft timer(String timerId) {
        return timer(key(timerId));
    }

    final TimerDraft timer(TimerKey key) {
        return new TimerDraft(key, queue);
    }

    /** A timer that sets all content. */
    final TimerDraft full(String timerId) {
        return timer(timerId)
                .shard(3)
                .expiresAt(NOW.plusSeconds(60))
                .type("payment-timeout")
                .payload("{\"order\":17}")
                .headers(Map.of("trace", "0af7", "empty", ""))
                .priority(5)
                .correlationId("c-1")
                .parallelKey("p-1")
                .correlationKey("k-1");
    }

    final ScheduleResult schedule(TimerDraft draft) {
        return schedule(draft.build());
    }

    final ScheduleResult schedule(NewTimer timer) {
        List<ScheduleResult> results = store().schedule(List.of(timer));
        assertThat(results).hasSize(1);
        return results.get(0);
    }

    /** Schedules the timer and returns its row. */
    final StoredTimer given(TimerDraft draft) {
        NewTimer timer = draft.build();
        schedule(timer);
        assertThat(stored(timer.key()).generation()).isEqualTo(timer.generation());
        return stored(timer.key());
    }

    /** Schedules the timer, ends it in the state and returns its row. */
    final StoredTimer given(TimerDraft draft, TimerState state) {
        StoredTimer scheduled = given(draft);
        assertThat(store().settle(List.of(ended(scheduled, state)))).isEqualTo(1);
        return stored(scheduled.key());
    }

    final StoredTimer stored(String timerId) {
        return stored(key(timerId));
    }

    final StoredTimer stored(TimerKey key) {
        return store().find(key).orElseThrow(() -> new AssertionError("there must be a timer " + key));
    }

    final DueTimers due(Instant now, Collection<Integer> shards, int limit) {
        return store().due(new DueQuery(queue, shards, now, limit));
    }

    final List<TimerKey> dueKeys(Instant now, Integer... shards) {
        return due(now, List.of(shards), 1_000).timers().stream()
                .map(StoredTimer::key)
                .toList();
    }

    final Optional<Instant> nextDue(List<Integer> shards) {
        return Optional.ofNullable(store().nextDue(queue, shards, Instant.MIN).wakeAt());
    }

    static Settlement ended(StoredTimer timer, TimerState state) {
        Failure failure = state == TimerState.DEAD ? failure("gave up") : null;
        return ended(timer, state, failure);
    }

    static Settlement ended(StoredTimer timer, TimerState state, @Nullable Failure failure) {
        return new Settlement.Ended(timer.key(), timer.generation(), state, NOW.plusSeconds(1), 1, failure);
    }

    static Settlement retried(StoredTimer timer, Instant wakeAt) {
        return retried(timer, wakeAt, "unreachable");
    }

    static Settlement retried(StoredTimer timer, Instant wakeAt, String error) {
        return new Settlement.Retried(timer.key(), timer.generation(), wakeAt, 1, failure(error));
    }

    static Settlement moved(StoredTimer timer, Instant dueAt) {
        return new Settlement.Moved(
                timer.key(), timer.generation(), TimerDraft.nextGeneration(), dueAt, null, timer.dueAt(), null);
    }

    /** Moves a todo on to what the draft says. */
    static Settlement.Advanced advanced(StoredTimer before, TimerDraft next) {
        return advanced(before, next.build(), 0, null);
    }

    static Settlement.Advanced advanced(StoredTimer before, NewTimer next, int attempt, @Nullable Failure failure) {
        StoredTimer then = StoredTimers.withAttempt(accepted(next), attempt);
        return new Settlement.Advanced(
                before.generation(), failure == null ? then : StoredTimers.withFailure(then, attempt, failure), true);
    }

    static Settlement deleted(StoredTimer timer) {
        return new Settlement.Deleted(timer.key(), timer.generation());
    }

    static Failure failure(String error) {
        return new Failure(error, NOW.minus(TICK), NOW);
    }

    static ScheduleResult said(NewTimer timer, ScheduleOutcome outcome) {
        return new ScheduleResult(timer.key(), outcome, TimerState.SCHEDULED, timer.generation());
    }

    static ScheduleResult said(StoredTimer standing, ScheduleOutcome outcome) {
        return new ScheduleResult(standing.key(), outcome, standing.state(), standing.generation());
    }

    /** Returns the row that an accepted schedule leaves. */
    static StoredTimer accepted(NewTimer timer) {
        return new StoredTimer(
                timer.key(),
                timer.shard(),
                timer.content(),
                TimerState.SCHEDULED,
                timer.generation(),
                0,
                timer.content().dueAt(),
                timer.registeredAt(),
                null,
                null,
                null);
    }

    /** Reads on until the page is full or there are no more. */
    final List<TimerVersion> versions(TimerQuery query, @Nullable Instant endedBefore) {
        List<TimerVersion> found = new ArrayList<>();
        TimerQuery next = query;
        while (true) {
            TimerVersion.Page page = store().admin().versions(next.limit(query.limit() - found.size()), endedBefore);
            found.addAll(page.timers());
            TimerKey end = page.next();
            if (end == null || found.size() == query.limit()) {
                return found;
            }
            next = next.after(end);
        }
    }
}
