package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.TimerKey;
import dev.duetime.admin.Occurrence;
import dev.duetime.admin.Occurrence.Outcome;
import dev.duetime.store.CollisionException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rule that the outcomes of occurrences are kept until they are old, and the last 20 are shown. */
abstract class HistoryContract extends ContractPart {
    HistoryContract(ScheduleStoreContract author) {
        super(author);
    }

    @Test
    void theLastOutcomesAreShownTheLatestFirst() {
        List<Outcome> outcomes = List.of(Outcome.DELIVERED, Outcome.EXPIRED, Outcome.DEAD, Outcome.SKIPPED);
        List<Occurrence> all = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            all.add(0, occurrence(key("a"), NOW.plusSeconds(i), outcomes.get(i % 4)));
        }
        put(all.subList(10, 25));
        put(all.subList(0, 10));
        put(List.of(occurrence(key("b"), NOW, Outcome.DEAD)));
        put(List.of());

        assertThat(shown(key("a"))).containsExactlyElementsOf(all.subList(0, 20));
        assertThat(shown(TimerKey.of(otherTenant, "a"))).isEmpty();
        assertThat(shown(key("absent"))).isEmpty();
    }

    @Test
    void anOccurrenceThatIsDeliveredAgainHasOneOutcome() {
        put(List.of(occurrence(key("a"), NOW, Outcome.EXPIRED), occurrence(key("a"), NOW, Outcome.DEAD)));
        Occurrence last = new Occurrence(
                key("a"), NOW, Outcome.DELIVERED, NOW.plusSeconds(9).plus(TICK), 3, null);

        put(List.of(last));

        assertThat(shown(key("a"))).containsExactly(last);
        assertThat(last.lateness()).isEqualTo(Duration.ofSeconds(9).plusNanos(1_000));
    }

    @Test
    void anErrorOfAnyCharactersIsKept() {
        Occurrence odd =
                new Occurrence(key("a"), NOW, Outcome.DEAD, NOW, Integer.MAX_VALUE, "\uD83D\uDE00'\"\n\\".repeat(200));

        put(List.of(odd));

        assertThat(shown(key("a"))).containsExactly(odd);
    }

    @Test
    void whatEndedBeforeATimeIsForgotten() {
        Occurrence old = new Occurrence(key("a"), NOW, Outcome.DELIVERED, NOW.minus(TICK), 1, null);
        Occurrence recent = new Occurrence(key("a"), NOW.minusSeconds(60), Outcome.DELIVERED, NOW, 1, null);
        put(List.of(old, recent));

        assertThat(store().admin().forgetOccurrences(NOW, 10)).isEqualTo(1);

        assertThat(shown(key("a"))).containsExactly(recent);
    }

    @Test
    void aLimitForgetsWhatEndedFirst() {
        List<Occurrence> all = IntStream.range(0, 5)
                .mapToObj(i -> new Occurrence(
                        key("a" + i % 2), NOW.plusSeconds(i), Outcome.DELIVERED, NOW.minusSeconds(1 + i), 1, null))
                .toList();
        put(all);

        assertThat(store().admin().forgetOccurrences(NOW, 2)).isEqualTo(2);
        assertThat(shown(key("a0"))).containsExactly(all.get(2), all.get(0));
        assertThat(shown(key("a1"))).containsExactly(all.get(1));

        assertThat(store().admin().forgetOccurrences(NOW, 2)).isEqualTo(2);
        assertThat(store().admin().forgetOccurrences(NOW, 2)).isEqualTo(1);
        assertThat(store().admin().forgetOccurrences(NOW, 2)).isZero();
        assertThat(shown(key("a0"))).isEmpty();
    }

    @Test
    void nodesThatRaceForAnOccurrenceKeepOneOutcome() {
        for (int round = 0; round < Race.ROUNDS; round++) {
            String prefix = "r" + round + "-";
            List<Occurrence> some = IntStream.range(0, 20)
                    .mapToObj(i -> occurrence(key(prefix + i), NOW, Outcome.DELIVERED))
                    .toList();

            Race.of(i -> () -> {
                while (true) {
                    try {
                        put(some);
                        return 0;
                    } catch (CollisionException e) {
                        // Another node has held the rows for too long. The engine writes them again, too.
                        assertThat(Thread.currentThread().isInterrupted()).isFalse();
                    }
                }
            });

            some.forEach(each -> assertThat(shown(each.key())).containsExactly(each));
        }
    }

    private static Occurrence occurrence(TimerKey key, Instant dueAt, Outcome outcome) {
        return new Occurrence(key, dueAt, outcome, dueAt.plusSeconds(1), 2, outcome == Outcome.DEAD ? "broken" : null);
    }

    private void put(List<Occurrence> occurrences) {
        store().admin().putOccurrences(occurrences);
    }

    private List<Occurrence> shown(TimerKey key) {
        return store().admin().views().occurrences(key);
    }
}
