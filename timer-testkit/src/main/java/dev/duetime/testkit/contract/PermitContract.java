package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.duetime.store.Permits;
import dev.duetime.store.Permits.Change;
import dev.duetime.store.Permits.Ledger;
import dev.duetime.store.Permits.Limit;
import dev.duetime.store.Permits.Share;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The rule that a ledger of permits changes only from the version that was read, and that a change is atomic. */
abstract class PermitContract extends ContractPart {
    PermitContract(ScheduleStoreContract author) {
        super(author);
    }

    @BeforeEach
    @SuppressWarnings("ReferenceEquality")
    void onlyStoresWithPermits() {
        assumeTrue(store().permits() != Permits.NONE, "the store keeps no limits of the cluster");
    }

    private Limit limit(String name) {
        return new Limit(queue, name);
    }

    private Optional<Ledger> ledger(Limit limit) {
        return store().permits().ledgers().stream()
                .filter(each -> each.limit().equals(limit))
                .findFirst();
    }

    private static Share share(String node, int units) {
        return new Share(node, units, units + 1, 10, 20_000_000_000L, NOW, NOW.plusSeconds(30));
    }

    private boolean change(Limit limit, long version, @Nullable Share share, String... removed) {
        Change change = new Change(limit, version, NOW.minus(TICK), share, Set.of(removed));
        return store().permits().change(List.of(change)).contains(limit);
    }

    @Test
    void aLimitThatWasNeverChangedHasNoLedger() {
        assertThat(ledger(limit("concurrency"))).isEmpty();
        assertThat(store().permits().change(List.of())).isEmpty();
    }

    @Test
    void aChangeIsReadAsItWasWritten() {
        Limit limit = limit("rate of type a' %_\\,\"");

        assertThat(change(limit, Permits.UNWRITTEN, share("one", 3))).isTrue();
        assertThat(ledger(limit)).contains(new Ledger(limit, 1, NOW.minus(TICK), List.of(share("one", 3))));
        assertThat(ledger(limit("rate of type A' %_\\,\""))).isEmpty();
    }

    @Test
    void levelsAreReadAsTheyWereWrittenUntilTheNextChange() {
        Limit limit = limit("tenant rate");
        String levels = "1 2 3 4=a%0020b" + "' \\\"".repeat(10_000);

        change(limit, 0, "first");
        assertThat(ledger(limit).orElseThrow().levels()).isEqualTo("first");
        change(limit, 1, levels);
        assertThat(ledger(limit).orElseThrow().levels()).isEqualTo(levels);
        change(limit, 1, "of another version");
        assertThat(ledger(limit).orElseThrow().levels()).isEqualTo(levels);
        change(limit, 2, share("one", 3));
        assertThat(ledger(limit).orElseThrow().levels()).isNull();
    }

    private void change(Limit limit, long version, String levels) {
        store().permits().change(List.of(new Change(limit, version, NOW, share("one", 3), Set.of(), levels)));
    }

    @Test
    void aChangeReplacesTheShareOfItsNodeAndKeepsTheOthers() {
        Limit limit = limit("concurrency");
        change(limit, 0, share("one", 3));
        change(limit, 1, share("two", 4));

        assertThat(change(limit, 2, share("one", 5))).isTrue();
        assertThat(ledger(limit).orElseThrow().shares()).containsExactlyInAnyOrder(share("one", 5), share("two", 4));
        assertThat(ledger(limit).orElseThrow().version()).isEqualTo(3);
    }

    @Test
    void aChangeOfAnotherVersionIsNotWritten() {
        Limit limit = limit("concurrency");
        change(limit, 0, share("one", 3));

        assertThat(change(limit, 0, share("two", 4), "one")).isFalse();
        assertThat(change(limit, 2, share("two", 4), "one")).isFalse();
        assertThat(ledger(limit).orElseThrow().shares()).containsExactly(share("one", 3));
    }

    @Test
    void sharesOfNodesThatLeftAreRemoved() {
        Limit limit = limit("concurrency");
        change(limit, 0, share("one", 3));
        change(limit, 1, share("two", 3));

        assertThat(change(limit, 2, share("three", 1), "one", "unknown")).isTrue();
        assertThat(change(limit, 3, null, "two")).isTrue();
        assertThat(ledger(limit).orElseThrow().shares()).containsExactly(share("three", 1));
    }

    @Test
    void ofSeveralChangesThoseOfTheVersionReadAreWritten() {
        Limit stale = limit("concurrency");
        Limit fresh = new Limit(otherQueue, "concurrency");
        change(stale, 0, share("one", 3));

        assertThat(store().permits()
                        .change(List.of(
                                new Change(fresh, 0, NOW, share("two", 2), Set.of()),
                                new Change(stale, 0, NOW, share("two", 2), Set.of()))))
                .containsExactly(fresh);
        assertThat(ledger(stale).orElseThrow().shares()).containsExactly(share("one", 3));
        assertThat(ledger(fresh).orElseThrow().shares()).containsExactly(share("two", 2));
    }

    @Test
    void inARaceOneChangeOfAVersionIsWritten() {
        Limit limit = limit("concurrency");

        assertThat(Race.of(i -> () -> change(limit, 0, share("node-" + i, 1)))).containsOnlyOnce(true);
        assertThat(Race.of(i -> () -> change(limit, 1, share("other-" + i, 1)))).containsOnlyOnce(true);
        assertThat(ledger(limit).orElseThrow().shares()).hasSize(2);
    }
}
