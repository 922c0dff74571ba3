package dev.duetime.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.duetime.JacksonCodec;
import dev.duetime.MalformedMessageException;
import dev.duetime.Timer;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.engine.schedule.ContentResolver;
import dev.duetime.engine.settings.ContentRules;
import dev.duetime.engine.settings.Deadlines;
import dev.duetime.internal.Inside;
import dev.duetime.internal.draft.TimerDraft;
import dev.duetime.internal.timer.TimerContents;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.recurrence.Recurrence;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ScheduleTimerTest {
    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");

    @Test
    void theRequiredFieldsAreEnough() {
        TimerContent content = content("{'tenantId':'acme','timerId':'order-17','dueAt':'2026-11-21T10:15:00Z'}");

        assertThat(content.dueAt()).isEqualTo(Instant.parse("2026-11-21T10:15:00Z"));
        assertThat(content.payload().isEmpty()).isTrue();
    }

    @Test
    void everyFieldIsRead() {
        String command = "{'tenantId':'acme','timerId':'o','dueAt':'2026-11-21T12:15:00.5+02:00','correlationId':'c-1',"
                + "'type':'t','queue':'q','priority':-3,'expiresAt':'2027-01-01T00:00:00Z','headers':{'h':'v'},'rearm':true,"
                + "'payload':{'amount': 12.50 }}";

        TimerContent content = content(command);
        Timer timer = parse(command);

        assertThat(timer.key()).isEqualTo(TimerKey.of("acme", "o"));
        assertThat(Inside.of(timer, TimerDraft.class).rearm()).isTrue();
        assertThat(content.dueAt()).isEqualTo(Instant.parse("2026-11-21T10:15:00.5Z"));
        assertThat(content.correlationId()).isEqualTo("c-1");
        assertThat(content.type()).isEqualTo("t");
        assertThat(content.queue()).isEqualTo("q");
        assertThat(content.priority()).isEqualTo(-3);
        assertThat(content.expiresAt()).isEqualTo(Instant.parse("2027-01-01T00:00:00Z"));
        assertThat(content.headers()).containsEntry("h", "v").hasSize(1);
        assertThat(new String(content.payload().bytes(), StandardCharsets.UTF_8))
                .isEqualTo("{\"amount\": 12.50 }");
    }

    @Test
    void aDelayMayReplaceTheDueTime() {
        assertThat(content("{'tenantId':'a','timerId':'b','delay':'PT90S'}").dueAt())
                .isEqualTo(NOW.plusSeconds(90));
    }

    @Test
    void aRecurrenceMayReplaceTheDueTime() {
        TimerContent content = content(
                "{'tenantId':'a','timerId':'b','recurrence':'day Europe/Berlin catchUp=ALL','validFor':'PT1H'}");

        assertThat(content.recurrence()).isEqualTo("day Europe/Berlin");
        assertThat(content.catchUp()).isEqualTo(CatchUp.ALL);
        assertThat(content.dueAt()).isEqualTo(Instant.parse("2026-11-21T23:00:00Z"));
        assertThat(content.expiresAt()).isEqualTo(Instant.parse("2026-11-22T00:00:00Z"));
        assertThat(content("{'tenantId':'a','timerId':'b','recurrence':'cron \\\"*/5 * * * *\\\" UTC'}")
                        .recurrence())
                .isEqualTo("cron \"*/5 * * * *\" UTC");
    }

    @ParameterizedTest
    @EnumSource
    void theCatchUpMayBeASeparateField(CatchUp catchUp) {
        TimerContent content =
                content("{'tenantId':'a','timerId':'b','recurrence':'every PT10M','catchUp':'%s'}".formatted(catchUp));

        assertThat(TimerContents.recursBy(
                        content, Recurrence.every(Duration.ofMinutes(10)).catchUp(catchUp)))
                .isTrue();
        assertThat(content.catchUp()).isEqualTo(catchUp);
    }

    @Test
    void aValidityMayReplaceTheDeadline() {
        assertThat(content("{'tenantId':'a','timerId':'b','delay':'PT90S','validFor':'PT1H'}")
                        .expiresAt())
                .isEqualTo(NOW.plusSeconds(90 + 3_600));
    }

    @Test
    void unknownFieldsAndNullsAreIgnored() {
        assertThat(content(
                                "{'tenantId':'a','timerId':'b','dueAt':'2026-11-21T10:15:00Z','correlationId':null,'new':[{}]}")
                        .correlationId())
                .isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tenantId  | {'timerId':'b','dueAt':'2026-11-21T10:15:00Z'}",
                "tenantId  | {'tenantId':'','timerId':'b','dueAt':'2026-11-21T10:15:00Z'}",
                "tenantId  | {'tenantId':7,'timerId':'b','dueAt':'2026-11-21T10:15:00Z'}",
                "tenantId  | {'tenantId':'duetime','timerId':'b','dueAt':'2026-11-21T10:15:00Z'}",
                "timerId   | {'tenantId':'a','dueAt':'2026-11-21T10:15:00Z'}",
                "timerId   | {'tenantId':'a','timerId':'b\\nc','dueAt':'2026-11-21T10:15:00Z'}",
                "dueAt     | {'tenantId':'a','timerId':'b'}",
                "dueAt     | {'tenantId':'a','timerId':'b','dueAt':'tomorrow'}",
                "dueAt     | {'tenantId':'a','timerId':'b','dueAt':'2026-11-21T10:15:00'}",
                "dueAt     | {'tenantId':'a','timerId':'b','dueAt':1795256640}",
                "dueAt     | {'tenantId':'a','timerId':'b','dueAt':'+12026-11-21T10:15:00Z'}",
                "delay     | {'tenantId':'a','timerId':'b','delay':'15 minutes'}",
                "delay     | {'tenantId':'a','timerId':'b','delay':'PT-1S'}",
                "delay     | {'tenantId':'a','timerId':'b','delay':'PT1S','dueAt':'2026-11-21T10:15:00Z'}",
                "recurrence | {'tenantId':'a','timerId':'b','recurrence':'PT10M'}",
                "recurrence | {'tenantId':'a','timerId':'b','recurrence':'every PT0.5S'}",
                "recurrence | {'tenantId':'a','timerId':'b','recurrence':'day Europe/Atlantis'}",
                "recurrence | {'tenantId':'a','timerId':'b','recurrence':'every PT1M catchUp=SOME'}",
                "recurrence | {'tenantId':'a','timerId':'b','recurrence':''}",
                "recurrence | {'tenantId':'a','timerId':'b','recurrence':600}",
                "recurrence | {'tenantId':'a','timerId':'b','recurrence':'every PT1M','dueAt':'2026-11-21T10:15:00Z'}",
                "recurrence | {'tenantId':'a','timerId':'b','recurrence':'every PT1M','delay':'PT1S'}",
                "catchUp   | {'tenantId':'a','timerId':'b','recurrence':'every PT1M','catchUp':'all'}",
                "catchUp   | {'tenantId':'a','timerId':'b','recurrence':'every PT1M','catchUp':7}",
                "catchUp   | {'tenantId':'a','timerId':'b','recurrence':'every PT1M catchUp=ALL','catchUp':'ALL'}",
                "catchUp   | {'tenantId':'a','timerId':'b','delay':'PT1S','catchUp':'ALL'}",
                "expiresAt | {'tenantId':'a','timerId':'b','recurrence':'every PT1M','expiresAt':'2027-01-01T00:00:00Z'}",
                "priority  | {'tenantId':'a','timerId':'b','delay':'PT1S','priority':'high'}",
                "priority  | {'tenantId':'a','timerId':'b','delay':'PT1S','priority':1.5}",
                "priority  | {'tenantId':'a','timerId':'b','delay':'PT1S','priority':3000000000}",
                "headers   | {'tenantId':'a','timerId':'b','delay':'PT1S','headers':'h'}",
                "headers.h | {'tenantId':'a','timerId':'b','delay':'PT1S','headers':{'h':1}}",
                "rearm     | {'tenantId':'a','timerId':'b','delay':'PT1S','rearm':'yes'}",
                "expiresAt | {'tenantId':'a','timerId':'b','delay':'PT1S','expiresAt':'never'}",
                "validFor  | {'tenantId':'a','timerId':'b','delay':'PT1S','validFor':'PT0S'}",
                "validFor  | {'tenantId':'a','timerId':'b','delay':'PT1S','validFor':'PT1S','expiresAt':'2027-01-01T00:00:00Z'}",
                "queue     | {'tenantId':'a','timerId':'b','delay':'PT1S','queue':''}",
                "$         | [1]",
                "$         | {'tenantId':'a'",
                "$         | {'tenantId':'a','timerId':'b','delay':'PT1S'} {}",
                "$         | hello",
            })
    void aMalformedCommandIsRefusedAndTheFieldNamed(String field, String command) {
        assertThatExceptionOfType(MalformedMessageException.class)
                .isThrownBy(() -> parse(command))
                .satisfies(e -> assertThat(e.field()).isEqualTo(field))
                .satisfies(e -> assertThat(e.getMessage()).contains(field.equals("$") ? "message" : field));
    }

    @Test
    void aRecurrenceThatIsTooLongIsRefused() {
        String expression = "cron \\\"" + "0,".repeat(600) + "0 * * * *\\\" UTC";
        assertThatExceptionOfType(MalformedMessageException.class)
                .isThrownBy(() -> parse("{'tenantId':'a','timerId':'b','recurrence':'" + expression + "'}"))
                .withMessageContaining("recurrence must")
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(300));
    }

    @Test
    void bytesThatAreNotUtf8AreRefused() {
        assertThatExceptionOfType(MalformedMessageException.class)
                .isThrownBy(() -> ScheduleTimer.parse(new byte[] {'{', (byte) 0xFF, '}'}))
                .withMessage("message must be UTF-8");
        assertThatExceptionOfType(MalformedMessageException.class).isThrownBy(() -> ScheduleTimer.parse(new byte[0]));
    }

    @Test
    void messagesNeverQuoteThePayload() {
        assertThatExceptionOfType(MalformedMessageException.class)
                .isThrownBy(() -> parse("{'payload':'4111-1111', broken"))
                .satisfies(e -> assertThat(e.toString()).doesNotContain("4111"))
                .withNoCause();
    }

    private static TimerContent content(String command) {
        return new ContentResolver(new ContentRules(JacksonCodec.standard(), 1_000, Deadlines.NONE, Set.of()))
                .content(parse(command), NOW, null);
    }

    private static Timer parse(String command) {
        return ScheduleTimer.parse(command.replace('\'', '"'));
    }
}
