package dev.duetime.engine.settle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.Clock;
import dev.duetime.Payload;
import dev.duetime.StoredTimer;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.engine.settle.OutcomeWriter.Left;
import dev.duetime.engine.settle.OutcomeWriter.Written;
import dev.duetime.store.DoubtfulException;
import dev.duetime.store.LockedException;
import dev.duetime.store.RefusedException;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.Settled;
import dev.duetime.store.Settlement;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of how often the writer tries a batch of which the store can write only a part. */
class OutcomeWriterTest {
    private static final List<Settlement> OUTCOMES = IntStream.range(0, 1_000)
            .<Settlement>mapToObj(i -> new Settlement.Deleted(TimerKey.of("t" + i), i))
            .toList();

    private static final Duration WAIT = Duration.ofMillis(250);

    private final Set<Settlement> written = new HashSet<>();
    private Predicate<Settlement> held = each -> false;
    private Predicate<Settlement> refused = each -> false;
    private Predicate<Settlement> doubtful = each -> false;
    private int tries;

    private int waits;
    private long nanos;

    /** A store that cannot skip single rows. */
    private final ScheduleStore store = (ScheduleStore) Proxy.newProxyInstance(
            ScheduleStore.class.getClassLoader(), new Class<?>[] {ScheduleStore.class}, (proxy, method, arguments) -> {
                List<Settlement> part = ((List<?>) arguments[0])
                        .stream().map(Settlement.class::cast).toList();
                if (!method.getName().equals("settle")) {
                    return new Settled(settle(part), List.of());
                }
                waits += part.stream().anyMatch(held) ? 1 : 0;
                nanos += part.stream().anyMatch(held) ? WAIT.toNanos() : 0;
                return settle(part);
            });

    private final OutcomeWriter writer = new OutcomeWriter(store, new Clock() {
        @Override
        public Instant now() {
            return Instant.EPOCH.plusNanos(nanos);
        }

        @Override
        public long nanoTime() {
            return nanos;
        }

        @Override
        public Loop start(String name, Pass pass) {
            throw new UnsupportedOperationException();
        }
    });

    private int settle(List<Settlement> part) {
        tries++;
        if (part.stream().anyMatch(held)) {
            throw new LockedException("settle", "k", new IOException("held"));
        }
        if (part.stream().anyMatch(doubtful)) {
            throw new DoubtfulException("settle", "k", new IOException("in doubt"));
        }
        if (part.stream().anyMatch(refused)) {
            throw new RefusedException("settle", "k", new IOException("refused"));
        }
        written.addAll(part);
        return part.size();
    }

    private static List<Settlement> outcomes(Written result) {
        return result.left().stream().map(Left::outcome).toList();
    }

    @Test
    void oneHeldOutcomeKeepsNoOther() {
        held = OUTCOMES.get(0)::equals;

        Written result = writer.write(OUTCOMES);

        assertThat(outcomes(result)).containsExactly(OUTCOMES.get(0));
        assertThat(result.count()).isEqualTo(OUTCOMES.size() - 1);
        assertThat(tries).isLessThan(25);
    }

    @Test
    void aWriterGivesUpSoonIfAllAreHeld() {
        held = each -> true;

        Written result = writer.write(OUTCOMES);

        assertThat(outcomes(result)).containsExactlyInAnyOrderElementsOf(OUTCOMES);
        assertThat(tries).isLessThan(35);
    }

    /** Each of these is a part of its own. */
    @Test
    void aTransactionThatHoldsManyRowsDelaysFewWrites() {
        held = OUTCOMES.subList(0, 50)::contains;

        for (int i = 0; i < 40; i++) {
            writer.write(List.of(OUTCOMES.get(i), OUTCOMES.get(100 + i)));
        }

        assertThat(waits).isEqualTo(1);
        assertThat(written).containsAll(OUTCOMES.subList(100, 140));
    }

    @Test
    void aWriterWaitsForAHeldRowAgainLater() {
        held = OUTCOMES.get(0)::equals;
        writer.write(OUTCOMES.subList(0, 1));

        nanos += WAIT.multipliedBy(20).toNanos();
        writer.write(OUTCOMES.subList(0, 1));

        assertThat(waits).isEqualTo(2);
    }

    @Test
    void aWriterGivesUpSoonIfManyLargeOutcomesAreHeld() {
        held = each -> true;
        List<Settlement> large = IntStream.range(0, 20)
                .<Settlement>mapToObj(i -> new Settlement.Advanced(i, large(i), true))
                .toList();

        Written result = writer.write(large);

        assertThat(outcomes(result)).containsExactlyInAnyOrderElementsOf(large);
        assertThat(outcomes(result).get(0)).isEqualTo(large.get(4));
        assertThat(tries).isLessThan(10);
    }

    private static StoredTimer large(int id) {
        Payload payload = Payload.wrap(new byte[1 << 20]);
        TimerContent content = new TimerContent(
                "work", Instant.EPOCH, null, "t", payload, Map.of(), 0, null, null, null, null, null, null);
        return new StoredTimer(
                TimerKey.of("t" + id),
                0,
                content,
                TimerState.SCHEDULED,
                1_000 + id,
                0,
                Instant.EPOCH,
                Instant.EPOCH,
                null,
                null,
                null);
    }

    /** A trigger may choose any code, so that the store cannot say whether it can write at all. */
    @Test
    void anOutcomeThatFailsForAReasonInDoubtKeepsNoOther() {
        doubtful = OUTCOMES.get(700)::equals;

        Written result = writer.write(OUTCOMES);

        assertThat(outcomes(result)).containsExactly(OUTCOMES.get(700));
        assertThat(result.count()).isEqualTo(OUTCOMES.size() - 1);
        assertThat(tries).isLessThan(25);
    }

    @Test
    void aLoneOutcomeThatFailsForAReasonInDoubtIsLeftIfTheStoreCanWrite() {
        doubtful = OUTCOMES.get(7)::equals;

        assertThat(outcomes(writer.write(List.of(OUTCOMES.get(7))))).containsExactly(OUTCOMES.get(7));
    }

    @Test
    void aStoreThatCannotWriteAtAllIsAway() {
        doubtful = each -> true;

        assertThatThrownBy(() -> writer.write(OUTCOMES)).isInstanceOf(DoubtfulException.class);
        assertThat(tries).isEqualTo(2);
    }

    @Test
    void everyFreeOutcomeIsWrittenAtSomeTimeBehindManyHeldOnes() {
        held = each -> each.generation() % 100 < 50;
        List<Settlement> free =
                OUTCOMES.stream().filter(each -> !held.test(each)).toList();

        List<Settlement> left = OUTCOMES;
        for (int round = 0; round < 200; round++) {
            left = outcomes(writer.writeUnlocked(left));
        }

        assertThat(written).containsExactlyInAnyOrderElementsOf(free);
    }

    @Test
    void everyGoodOutcomeIsWrittenAtSomeTimeBehindManyRefusedOnes() {
        refused = each -> each.generation() % 100 < 50;
        List<Settlement> good =
                OUTCOMES.stream().filter(each -> !refused.test(each)).toList();

        List<Settlement> left = OUTCOMES;
        for (int round = 0; round < 200; round++) {
            left = outcomes(writer.writeUnlocked(left));
        }

        assertThat(written).containsExactlyInAnyOrderElementsOf(good);
    }
}
