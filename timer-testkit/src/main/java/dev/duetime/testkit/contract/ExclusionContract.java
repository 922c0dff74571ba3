package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueQuery.Exclusion;
import dev.duetime.store.DueTimers;
import dev.duetime.testkit.fault.Damage;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rule that {@code due} leaves out the timers that a query excludes. */
abstract class ExclusionContract extends ContractPart {
    private static final List<Integer> SHARDS = List.of(0, 1, 2, 3);

    ExclusionContract(ScheduleStoreContract author) {
        super(author);
    }

    private DueTimers due(Exclusion but, int limit) {
        return store().due(new DueQuery(queue, SHARDS, Instant.MIN, NOW, limit, but));
    }

    private Set<String> dueBut(Exclusion but) {
        return due(but, 100).timers().stream()
                .map(timer -> timer.key().timerId())
                .collect(Collectors.toSet());
    }

    private static Exclusion keys(String... parallelKeys) {
        return new Exclusion(Set.of(parallelKeys), Set.of(), 0);
    }

    @Test
    void onlyTimersOfTheParallelKeysAreLeftOut() {
        given(timer("none"));
        given(timer("a").parallelKey("a").priority(9));
        given(timer("b").parallelKey("b").shard(1));
        given(timer("ab").parallelKey("ab").shard(2));
        given(timer("A").parallelKey("A").shard(3));
        given(timer("quoted").parallelKey("a' %_\\,\""));
        given(timer("correlated").correlationKey("a").correlationId("a"));

        assertThat(dueBut(keys("a"))).containsExactlyInAnyOrder("none", "b", "ab", "A", "quoted", "correlated");
        assertThat(dueBut(keys("a", "b", "ab", "unknown")))
                .containsExactlyInAnyOrder("none", "A", "quoted", "correlated");
        assertThat(dueBut(keys("a' %_\\,\""))).containsExactlyInAnyOrder("none", "a", "b", "ab", "A", "correlated");
    }

    @Test
    void timersOfTheTenantsAreLeftOutUpToAPriority() {
        given(timer("below").priority(4));
        given(timer("at").priority(5));
        given(timer("above").priority(6).shard(1));
        given(timer(TimerKey.of(otherTenant, "other")).priority(4));
        given(timer(TimerKey.of(tenant + "2", "longer")).priority(4));

        assertThat(dueBut(new Exclusion(Set.of(), Set.of(tenant), 5)))
                .containsExactlyInAnyOrder("above", "other", "longer");
        assertThat(dueBut(new Exclusion(Set.of(), Set.of(tenant, otherTenant), 5)))
                .containsExactlyInAnyOrder("above", "longer");
        assertThat(dueBut(new Exclusion(Set.of(), Set.of(tenant), Integer.MAX_VALUE)))
                .containsExactlyInAnyOrder("other", "longer");
        assertThat(dueBut(new Exclusion(Set.of(), Set.of(tenant), Integer.MIN_VALUE)))
                .hasSize(5);
    }

    @Test
    void onlyTimersOfTheTypesAreLeftOut() {
        given(timer("mail").type("mail"));
        given(timer("urgent").type("mail").priority(9).shard(1));
        given(timer("mailed").type("mailed").shard(2));
        given(timer("Mail").type("Mail"));
        given(timer("quoted").type("m' %_\\,\"").shard(3));

        assertThat(dueBut(types("mail"))).containsExactlyInAnyOrder("mailed", "Mail", "quoted");
        assertThat(dueBut(types("mail", "mailed", "unknown"))).containsExactlyInAnyOrder("Mail", "quoted");
        assertThat(dueBut(types("m' %_\\,\""))).containsExactlyInAnyOrder("mail", "urgent", "mailed", "Mail");
    }

    private static Exclusion types(String... types) {
        return new Exclusion(Set.of(), Set.of(types), Set.of(), 0);
    }

    @Test
    void keysAndTenantsCanBeExcludedTogether() {
        given(timer("a").parallelKey("a").priority(9));
        given(timer("low"));
        given(timer("high").priority(9));
        given(timer(TimerKey.of(otherTenant, "other")));
        given(timer(TimerKey.of(otherTenant, "other-a")).parallelKey("a"));

        assertThat(dueBut(new Exclusion(Set.of("a"), Set.of(tenant), 5))).containsExactlyInAnyOrder("high", "other");
    }

    @Test
    void anEmptyExclusionLeavesOutNothing() {
        given(timer("a").parallelKey("a"));
        given(timer("b"));

        assertThat(dueBut(Exclusion.NONE)).containsExactlyInAnyOrder("a", "b");
        assertThat(dueBut(new Exclusion(Set.of(), Set.of(), Integer.MIN_VALUE))).containsExactlyInAnyOrder("a", "b");
        assertThat(dueBut(keys("unknown"))).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void theOtherTimersAreReadInOrderAndInPages() {
        for (int i = 0; i < 200; i++) {
            given(timer("left-" + i).shard(i % 4).parallelKey("left").dueAt(NOW.minusSeconds(1_000 - i)));
        }
        for (int i = 0; i < 12; i++) {
            given(timer("t" + i)
                    .shard(i % 4)
                    .parallelKey(i % 2 == 0 ? "other" : null)
                    .dueAt(NOW.minusSeconds(50 - i)));
        }
        given(timer("later").dueAt(NOW.plus(TICK)));

        DueTimers page = due(keys("left"), 5);
        assertThat(page.timers())
                .extracting(timer -> timer.key().timerId())
                .containsExactly("t0", "t1", "t2", "t3", "t4");
        assertThat(page.more()).isTrue();
        DueTimers all = due(keys("left"), 12);
        assertThat(all.timers()).hasSize(12);
        assertThat(all.more()).isFalse();
        DueTimers late =
                store().due(new DueQuery(queue, SHARDS, NOW.minusSeconds(41), NOW, 100, keys("left", "other")));
        assertThat(late.timers()).extracting(timer -> timer.key().timerId()).containsExactly("t9", "t11");
    }

    @Test
    void unreadableRowsAreLeftOutToo() {
        given(timer("a").parallelKey("a"));
        given(timer("b").parallelKey("b"));
        damage(key("a"), Damage.UNREADABLE_CONTENT);
        damage(key("b"), Damage.UNREADABLE_CONTENT);

        assertThat(due(keys("a"), 10).undecodable())
                .extracting(DueTimers.Undecodable::key)
                .containsExactly(key("b"));
    }

    @Test
    void manyKeysMayBeLeftOut() {
        Set<String> many = IntStream.range(0, 2_000).mapToObj(i -> "key-" + i).collect(Collectors.toSet());
        given(timer("a").parallelKey("key-1999"));
        given(timer("b").parallelKey("key-2000"));
        Set<String> tenants = new HashSet<>(many);
        tenants.add(otherTenant);
        given(timer(TimerKey.of(otherTenant, "other")));

        assertThat(dueBut(new Exclusion(many, tenants, 0))).containsExactly("b");
    }

    private static Exclusion only(String... parallelKeys) {
        return only(Set.of(), Set.of(parallelKeys));
    }

    private static Exclusion only(Set<String> but, Set<String> parallelKeys) {
        return new Exclusion(but, Set.of(), Set.of(), 0, parallelKeys);
    }

    @Test
    void allTimersButThoseOfTheOnlyKeysAreLeftOut() {
        given(timer("none"));
        given(timer("urgent").priority(9).shard(1));
        given(timer("a").parallelKey("a").priority(9));
        given(timer("b").parallelKey("b").shard(1));
        given(timer("ab").parallelKey("ab").shard(2));
        given(timer("correlated").correlationKey("a").correlationId("a").type("a"));
        given(timer(TimerKey.of(otherTenant, "other-a")).parallelKey("a"));
        given(timer("later").parallelKey("a").dueAt(NOW.plus(TICK)));
        given(timer("elsewhere").parallelKey("a").shard(4));

        assertThat(dueBut(only("a"))).containsExactlyInAnyOrder("a", "other-a");
        assertThat(dueBut(only("b", "ab", "unknown"))).containsExactlyInAnyOrder("b", "ab");
        assertThat(dueBut(only("unknown"))).isEmpty();
        assertThat(dueBut(only())).hasSize(7);
    }

    @Test
    void keysThatLookAlikeAreDifferent() {
        List<String> alike = List.of(
                "key",
                "Key",
                "key ",
                " key",
                "ke",
                "k_y",
                "k%",
                "kéy",
                "ke\u0301y",
                "ß",
                "ss",
                "😀",
                "😁",
                "a' %_\\,\"",
                "\\",
                "{a,b}",
                "null",
                "NULL",
                "$1",
                ":only",
                "<limit>",
                "?");
        for (int i = 0; i < alike.size(); i++) {
            given(timer("t-" + i).parallelKey(alike.get(i)).shard(i % 4));
        }

        for (String key : alike) {
            assertThat(parallelKeys(only(key))).as(key).containsExactly(key);
            assertThat(parallelKeys(keys(key)))
                    .as(key)
                    .hasSize(alike.size() - 1)
                    .doesNotContain(key);
        }
        assertThat(parallelKeys(only(Set.of(), Set.copyOf(alike)))).containsExactlyInAnyOrderElementsOf(alike);
        assertThat(parallelKeys(only("key,Key", "k", "y", " ", "KEY", "é"))).isEmpty();
    }

    private List<String> parallelKeys(Exclusion but) {
        return due(but, 100).timers().stream()
                .map(timer -> timer.content().parallelKey())
                .toList();
    }

    @Test
    void aKeyThatIsAlsoExcludedIsLeftOut() {
        given(timer("a").parallelKey("a"));
        given(timer("b").parallelKey("b").shard(1));
        given(timer("c").parallelKey("c").shard(2));
        given(timer("none"));

        assertThat(dueBut(only(Set.of("b", "c"), Set.of("a", "b")))).containsExactly("a");
        DueTimers nothing = due(only(Set.of("a", "b", "c"), Set.of("a", "b")), 1);
        assertThat(nothing.timers()).isEmpty();
        assertThat(nothing.more()).isFalse();
    }

    @Test
    void timersOfTheOnlyKeysAreLeftOutByTypeAndTenant() {
        given(timer("low").parallelKey("a").priority(5));
        given(timer("high").parallelKey("a").priority(6));
        given(timer("mail").parallelKey("a").priority(6).type("mail"));
        given(timer(TimerKey.of(otherTenant, "other")).parallelKey("a").priority(4));
        given(timer(TimerKey.of(otherTenant, "other-b")).parallelKey("b"));
        given(timer(TimerKey.of(otherTenant, "none")));

        assertThat(dueBut(new Exclusion(Set.of(), Set.of("mail"), Set.of(tenant), 5, Set.of("a"))))
                .containsExactlyInAnyOrder("high", "other");
        assertThat(dueBut(new Exclusion(Set.of(), Set.of(), Set.of(tenant, otherTenant), 5, Set.of("a", "b"))))
                .containsExactlyInAnyOrder("high", "mail");
        assertThat(dueBut(new Exclusion(Set.of(), Set.of(), Set.of(tenant), Integer.MAX_VALUE, Set.of("a"))))
                .containsExactly("other");
    }

    @Test
    void timersOfTheOnlyKeysAreReadInOrderAndInPages() {
        for (int i = 0; i < 200; i++) {
            given(timer("left-" + i)
                    .shard(i % 4)
                    .parallelKey(i % 3 == 0 ? null : "left-" + i)
                    .dueAt(NOW.minusSeconds(1_000 - i)));
        }
        for (int i = 0; i < 12; i++) {
            given(timer("t" + i)
                    .shard(i % 4)
                    .parallelKey(i % 2 == 0 ? "even" : "odd")
                    .dueAt(NOW.minusSeconds(50 - i)));
        }
        given(timer("later").parallelKey("odd").dueAt(NOW.plus(TICK)));
        given(timer("newer").dueAt(NOW.minusSeconds(1)));

        DueTimers page = due(only("even", "odd"), 5);
        assertThat(page.timers())
                .extracting(timer -> timer.key().timerId())
                .containsExactly("t0", "t1", "t2", "t3", "t4");
        assertThat(page.more()).isTrue();
        DueTimers all = due(only("even", "odd"), 12);
        assertThat(all.timers()).hasSize(12);
        assertThat(all.more()).isFalse();
        DueTimers late = store().due(new DueQuery(queue, SHARDS, NOW.minusSeconds(41), NOW, 100, only("odd")));
        assertThat(late.timers()).extracting(timer -> timer.key().timerId()).containsExactly("t9", "t11");
    }

    @Test
    void theLimitOfBytesCountsTimersOfTheOnlyKeysAlone() {
        given(timer("left").payload(new byte[20_000]).dueAt(NOW.minusSeconds(9)));
        StoredTimer held =
                given(timer("held").parallelKey("a").payload(new byte[20_000]).dueAt(NOW.minusSeconds(8)));
        for (int i = 0; i < 4; i++) {
            given(timer("t" + i)
                    .shard(i)
                    .parallelKey("a")
                    .payload(new byte[10_000])
                    .dueAt(NOW.minusSeconds(5 - i)));
        }

        DueTimers some = withinBytes(25_000, held);
        assertThat(some.timers()).extracting(timer -> timer.key().timerId()).containsExactly("t0", "t1");
        assertThat(some.more()).isTrue();
        DueTimers all = withinBytes(50_000, held);
        assertThat(all.timers()).containsExactly(stored("t0"), stored("t1"), stored("t2"), stored("t3"));
        assertThat(all.more()).isFalse();
    }

    private DueTimers withinBytes(long bytes, StoredTimer held) {
        Map<TimerKey, Long> known = Map.of(held.key(), held.generation());
        return store().due(new DueQuery(queue, SHARDS, Instant.MIN, NOW, 10, only("a"), bytes, known));
    }

    @Test
    void unreadableRowsOfOtherKeysAreLeftOutToo() {
        given(timer("a").parallelKey("a"));
        given(timer("b").parallelKey("b"));
        given(timer("none"));
        damage(key("a"), Damage.UNREADABLE_CONTENT);
        damage(key("b"), Damage.UNREADABLE_CONTENT);
        damage(key("none"), Damage.UNREADABLE_CONTENT);

        assertThat(due(only("a"), 10).undecodable())
                .extracting(DueTimers.Undecodable::key)
                .containsExactly(key("a"));
    }

    @Test
    void thereMayBeManyOnlyKeys() {
        Set<String> many = IntStream.range(0, 2_000).mapToObj(i -> "key-" + i).collect(Collectors.toSet());
        given(timer("a").parallelKey("key-1999"));
        given(timer("b").parallelKey("key-2000"));
        given(timer("c").parallelKey("key-0").shard(3));

        assertThat(dueBut(only(Set.of(), many))).containsExactlyInAnyOrder("a", "c");
    }
}
