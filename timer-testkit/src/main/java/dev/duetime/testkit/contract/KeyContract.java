package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.CancelResult;
import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.store.NewTimer;
import java.text.Normalizer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rule that two keys are the same iff both parts are equal character by character, on every database. */
abstract class KeyContract extends ContractPart {

    /** Each is taken for another one by some collation, trimming or escape. */
    static final List<String> CONFUSABLE = List.of(
            "order",
            "Order",
            "ORDER",
            "order ",
            "order  ",
            " order",
            "order\u00A0",
            Normalizer.normalize("caf\u00E9", Normalizer.Form.NFC),
            Normalizer.normalize("caf\u00E9", Normalizer.Form.NFD),
            "cafe",
            "stra\u00DFe",
            "strasse",
            "i",
            "I",
            "\u0131",
            "\u0130",
            "\uFB00",
            "ff",
            "a",
            "\uFF41",
            "a\u200D",
            "a\u00AD",
            "\uD83D\uDE00",
            "\uD83D\uDE01",
            "\uD83D\uDC68\u200D\uD83D\uDC69",
            "?",
            ":name",
            "<x>",
            "{}",
            "{\"a\":1}",
            "%",
            "_",
            "'",
            "''",
            "\"",
            "\\",
            "\\\\",
            "\\n",
            "a'; --",
            "a,b",
            "a/b",
            "null",
            "NULL",
            "0",
            "00",
            "0.0",
            "1e0",
            "1");

    KeyContract(ScheduleStoreContract author) {
        super(author);
    }

    @Test
    void timersWhoseIdsLookAlikeAreDifferentTimers() {
        areDifferent(CONFUSABLE.stream().map(this::key).toList());
    }

    @Test
    void tenantsThatLookAlikeAreDifferentTenants() {
        areDifferent(
                CONFUSABLE.stream().map(text -> TimerKey.of(tenant + text, "a")).toList());
    }

    @Test
    void keysDifferByWhereTheTenantEnds() {
        areDifferent(List.of(
                TimerKey.of(tenant + "a", "bc"),
                TimerKey.of(tenant + "ab", "c"),
                TimerKey.of(tenant + "a/b", "c"),
                TimerKey.of(tenant + "a", "b/c"),
                TimerKey.of(tenant + "a,", "c"),
                TimerKey.of(tenant + "a", ",c")));
    }

    @Test
    void keysOfFullLengthDifferInTheirLastCharacter() {
        for (String character : List.of("x", "\u65E5", "\uD83D\uDE00")) {
            String longestTenant = tenant + character.repeat((254 - tenant.length()) / character.length());
            String longestId = character.repeat(254 / character.length());

            areDifferent(List.of(
                    TimerKey.of(longestTenant + "1", longestId + "1"),
                    TimerKey.of(longestTenant + "1", longestId + "2"),
                    TimerKey.of(longestTenant + "2", longestId + "1")));
        }
    }

    @Test
    void aLongIdDiffersFromItsBeginning() {
        areDifferent(List.of(key("x".repeat(255)), key("x".repeat(254)), key("x".repeat(64)), key("x")));
    }

    private void areDifferent(List<TimerKey> keys) {
        List<NewTimer> timers = keys.stream()
                .map(key -> timer(key).payload(key.toString()).build())
                .toList();

        assertThat(store().schedule(timers))
                .isEqualTo(timers.stream()
                        .map(timer -> new ScheduleResult(
                                timer.key(), ScheduleOutcome.CREATED, TimerState.SCHEDULED, timer.generation()))
                        .toList());

        for (NewTimer timer : timers) {
            assertThat(stored(timer.key())).isEqualTo(accepted(timer));
        }
        assertThat(due(NOW, List.of(0), 1_000).timers())
                .containsExactlyInAnyOrderElementsOf(
                        timers.stream().map(ContractPart::accepted).toList());
        for (TimerKey key : keys) {
            assertThat(store().cancel(key, NOW)).isEqualTo(CancelResult.CANCELLED);
            assertThat(store().query(TimerQuery.all()
                            .allowScan()
                            .queue(queue)
                            .tenantId(key.tenantId())
                            .limit(1_000)))
                    .allMatch(timer -> timer.key().tenantId().equals(key.tenantId()));
        }
    }
}
