package dev.duetime.engine.limits;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the text in which a ledger keeps the levels of tenants. */
class LevelsTextTest {
    private static final long VERSION = 7;
    private static final Instant SINCE = Instant.parse("2030-01-01T00:00:00.000001Z");
    private static final int LONG_NAME = 255;

    private static TenantLevels levels(String... tenants) {
        Map<String, Instant> byTenant = new HashMap<>();
        for (int i = 0; i < tenants.length; i++) {
            byTenant.put(tenants[i], SINCE.plusSeconds(i + 1L));
        }
        return TenantLevels.of(SINCE, byTenant);
    }

    @Test
    void levelsAreReadAsTheyWereWritten() {
        TenantLevels levels = levels("a", "b c", "=", "%", "%0041", "", "T_1.x-Y", "ü", "東京", "😀", "\0\n", "1 7 0");

        assertThat(levels.byTenant()).hasSize(12);
        assertThat(LevelsText.read(LevelsText.write(levels, VERSION), VERSION)).isEqualTo(levels);
    }

    @Test
    void timesBefore1970AreReadAsTheyWereWritten() {
        TenantLevels levels = TenantLevels.of(
                Instant.parse("-150000-01-01T00:00:00Z"), Map.of("a", Instant.parse("1969-12-31T23:59:59.999999Z")));

        assertThat(LevelsText.read(LevelsText.write(levels, VERSION), VERSION)).isEqualTo(levels);
    }

    @Test
    void theFormatIsStable() {
        TenantLevels levels = TenantLevels.of(Instant.ofEpochSecond(1), Map.of("a b", Instant.ofEpochSecond(2)));

        assertThat(LevelsText.write(levels, VERSION)).isEqualTo("1 7 1000000 2000000=a%0020b");
    }

    @Test
    void aTextOfAnotherVersionOfTheLedgerIsVoid() {
        String text = LevelsText.write(levels("a"), VERSION);

        assertThat(LevelsText.read(text, VERSION + 1)).isNull();
        assertThat(LevelsText.read(text, VERSION - 1)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "1",
                "1 7",
                "1 7 ",
                "1 7 x",
                "2 7 1 2=a",
                "01 7 1 2=a",
                "1 07 1 2=a",
                "1 7 1 2",
                "1 7 1 =a",
                "1 7 1 x=a",
                "1 7 1 2=a 3=a",
                "1 7 1  2=a",
                "1 7 1 2=a ",
                "1 7 1 2=a=b",
                "1 7 1 2=ü",
                "1 7 1 2=%",
                "1 7 1 2=%00",
                "1 7 1 2=%zzzz",
                "1 7 1 2=a\n",
                "1 7 9223372036854775808 2=a",
                "1 7 1 99999999999999999999=a"
            })
    void aTextThatCannotBeReadIsVoid(String text) {
        assertThat(LevelsText.read(text, VERSION)).isNull();
    }

    @Test
    void aMissingTextIsVoid() {
        assertThat(LevelsText.read(null, VERSION)).isNull();
    }

    @Test
    void aTextThatIsTooLongIsVoid() {
        StringBuilder many = new StringBuilder("1 7 1");
        IntStream.rangeClosed(0, TenantLevels.MOST_TENANTS)
                .forEach(i -> many.append(" 2=").append(i));

        assertThat(LevelsText.read(many.toString(), VERSION)).isNull();
        assertThat(LevelsText.read("1 7 1 2=" + "a".repeat(100_000), VERSION)).isNull();
    }

    @Test
    void noTextIsLongerThanTheBound() {
        for (String letter : new String[] {"a", "東"}) {
            TenantLevels levels = levels(names(letter, 5_000));
            String text = LevelsText.write(levels, Long.MAX_VALUE);
            assertThat(text).hasSizeLessThan(60_000).matches("[ -~]+");
            assertThat(LevelsText.read(text, Long.MAX_VALUE)).isEqualTo(levels);
        }
    }

    private static String[] names(String letter, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> letter.repeat(LONG_NAME - 5) + (10_000 + i))
                .toArray(String[]::new);
    }
}
