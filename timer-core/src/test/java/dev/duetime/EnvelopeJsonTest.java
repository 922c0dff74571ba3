package dev.duetime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.duetime.engine.settings.ContentRules;
import dev.duetime.engine.settings.Deadlines;
import dev.duetime.internal.LimitException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EnvelopeJsonTest {
    private static final Instant DUE = Instant.parse("2026-11-21T10:15:00Z");

    @Test
    void anEnvelopeIsOneLineOfDocumentedJson() {
        assertThat(envelope("{\"orderId\":17}").toJson())
                .isEqualTo(
                        "{\"id\":\"id-1\",\"event\":\"DueTimeReached\",\"tenantId\":\"acme\",\"timerId\":\"order-17\","
                                + "\"type\":\"payment-timeout\",\"dueAt\":\"2026-11-21T10:15:00Z\","
                                + "\"reachedAt\":\"2026-11-21T10:15:00.001204Z\",\"correlationId\":\"c-1\",\"queue\":\"default\","
                                + "\"attempt\":1,\"priority\":7,\"headers\":{\"a\":\"1\",\"b\":\"2\"},\"payload\":{\"orderId\":17}}");
    }

    @Test
    void aDeadlineFollowsTheTimesAndReadsBack() {
        DueTimeReached event = new DueTimeReached(
                TimerKey.of("acme", "order-17"),
                "payment-timeout",
                DUE,
                DUE,
                DUE.plusSeconds(1),
                null,
                null,
                Payload.NONE);
        Envelope envelope = new Envelope("id-1", "default", 1, 0, Map.of(), event);

        assertThat(envelope.expiresAt()).isEqualTo(DUE.plusSeconds(1));
        assertThat(envelope.toJson())
                .contains("\"reachedAt\":\"2026-11-21T10:15:00Z\",\"expiresAt\":\"2026-11-21T10:15:01Z\",");
        assertThat(Envelope.fromJson(envelope.toJson())).isEqualTo(envelope);
        assertThat(DueTimeReached.fromJson(event.toJson())).isEqualTo(event);
    }

    @Test
    void aParallelKeyFollowsTheHeadersAndReadsBack() {
        Envelope envelope =
                new Envelope("id-1", "default", 1, 0, Map.of("a", "1"), "order-17", event(null, Payload.NONE));

        assertThat(envelope.toJson()).endsWith("\"headers\":{\"a\":\"1\"},\"parallelKey\":\"order-17\"}");
        assertThat(Envelope.fromJson(envelope.toJson())).isEqualTo(envelope);
    }

    @Test
    void emptyFieldsAreAbsent() {
        Envelope bare = new Envelope("id-1", "default", 1, 0, Map.of(), event(null, Payload.NONE));

        assertThat(bare.toJson()).doesNotContain("expiresAt", "correlationId", "headers", "parallelKey", "payload");
        assertThat(Envelope.fromJson(bare.toJson())).isEqualTo(bare);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"orderId\":17}",
                "[1, 2 ,3]",
                "\"text \\\" \\u00e9 ü ⏰\"",
                "12.50",
                "1e400",
                "-0",
                "true",
                "123456789012345678901234567890.000",
                "null"
            })
    void aPayloadReadsBackByteForByte(String json) {
        Envelope envelope = envelope(json);

        assertThat(Envelope.fromJson(envelope.toJson())).isEqualTo(envelope);
    }

    @Test
    void aJsonNullPayloadIsNotMissing() {
        assertThat(envelope("null").toJson()).endsWith("\"payload\":null}");
        assertThat(Envelope.fromJson(envelope("null").toJson())
                        .event()
                        .payload()
                        .size())
                .isEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "` {\"a\": 1} ` | {\"a\": 1}",
                "`\t[1]\r\n` | [1]",
                "`{\n  \"a\": \"b\"\r\n}` | `{   \"a\": \"b\"  }`",
                "`\n17` | 17"
            })
    void jsonWithWhiteSpaceStaysJsonAndDoesNotGrow(String payload, String inMessage) {
        Envelope envelope = envelope(payload);

        assertThat(envelope.toJson()).endsWith("\"payload\":" + inMessage + "}").doesNotContain("\n", "\r");
        assertThat(Envelope.fromJson(envelope.toJson())).isEqualTo(envelope(inMessage));
    }

    @Test
    void bytesOfAnotherCodecThatLookLikeJsonReadBackUnchanged() {
        Payload payload = Payload.of("\n17".getBytes(StandardCharsets.UTF_8)).readBy(new OtherCodec());
        Envelope envelope = new Envelope("id-1", "q", 1, 0, Map.of(), event(null, payload));

        assertThat(envelope.toJson()).contains("payloadBase64");
        assertThat(Envelope.fromJson(envelope.toJson())).isEqualTo(envelope);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 498, 499, 500, 501, 5_000})
    void aPayloadReadsBackHoweverDeepItIsNested(int levels) {
        Envelope envelope = envelope("[".repeat(levels) + "]".repeat(levels));

        assertThat(Envelope.fromJson(envelope.toJson())).isEqualTo(envelope);
        assertThat(envelope.toJson().contains("payloadBase64")).isEqualTo(levels > 499);
    }

    @Test
    void aPayloadReadsBackHoweverLongItsNumbersAndNamesAre() {
        Envelope digits = envelope("1".repeat(1_001));
        Envelope name = envelope("{\"" + "n".repeat(50_001) + "\":1}");

        assertThat(Envelope.fromJson(digits.toJson())).isEqualTo(digits);
        assertThat(Envelope.fromJson(name.toJson())).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(ints = {998, 999, 1_000, 1_001, 1_002, 1_003})
    void aNumberAloneReadsBackHoweverLongItIs(int digits) {
        for (String number : List.of("1".repeat(digits), "0." + "1".repeat(digits - 1), "1".repeat(digits) + "e7")) {
            Envelope envelope = envelope(number);

            assertThat(Envelope.fromJson(envelope.toJson())).isEqualTo(envelope);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"not json", "\"a\nb\"", "{} {}", "", "{\"a\":", "\u0000", "\n"})
    void aPayloadThatIsNoJsonReadsBackThroughBase64(String text) {
        Envelope envelope = envelope(text);

        assertThat(envelope.toJson()).doesNotContain("\n", "\"payload\"");
        assertThat(Envelope.fromJson(envelope.toJson())).isEqualTo(envelope);
    }

    @Test
    void bytesThatAreNoTextReadBackThroughBase64() {
        Envelope envelope =
                new Envelope("id-1", "q", 2, 0, Map.of(), event("c", Payload.of(new byte[] {'"', (byte) 0xFF, '"'})));

        assertThat(Envelope.fromJson(envelope.toJson())).isEqualTo(envelope);
    }

    @Test
    void anEventReadsBackFromItsOwnJsonAndFromAnEnvelopes() {
        Envelope envelope = envelope("{\"orderId\":17}");

        assertThat(DueTimeReached.fromJson(envelope.event().toJson())).isEqualTo(envelope.event());
        assertThat(DueTimeReached.fromJson(envelope.toJson())).isEqualTo(envelope.event());
        assertThat(envelope.event().lateness()).isEqualTo(Duration.ofNanos(1_204_000));
    }

    @Test
    void aTypedPayloadReadsBack() {
        record PaymentTimeout(int orderId, Instant at) {}
        Payload payload = Payload.encode(new PaymentTimeout(17, DUE), JacksonCodec.standard());
        Envelope envelope = new Envelope("id-1", "q", 1, 0, Map.of(), event(null, payload));

        assertThat(envelope.toJson()).contains("\"payload\":{\"orderId\":17,\"at\":\"2026-11-21T10:15:00Z\"}");
        assertThat(Envelope.fromJson(envelope.toJson()).payload(PaymentTimeout.class))
                .isEqualTo(new PaymentTimeout(17, DUE));
    }

    @Test
    void aMissingOrMalformedFieldIsNamed() {
        String json = envelope("1").toJson();

        assertThatExceptionOfType(MalformedMessageException.class)
                .isThrownBy(() -> Envelope.fromJson(json.replace("\"attempt\":1,", "")))
                .satisfies(e -> assertThat(e.field()).isEqualTo("attempt"));
        assertThatExceptionOfType(MalformedMessageException.class)
                .isThrownBy(() -> Envelope.fromJson(json.replace("10:15:00.001204Z", "noon")))
                .satisfies(e -> assertThat(e.field()).isEqualTo("reachedAt"));
        assertThatExceptionOfType(MalformedMessageException.class)
                .isThrownBy(() -> Envelope.fromJson(json.replace("DueTimeReached", "Other")))
                .satisfies(e -> assertThat(e.field()).isEqualTo("event"));
    }

    @Test
    void aPayloadOfAnotherFormIsRefusedWithoutItsContent() {
        assertThatExceptionOfType(PayloadException.class)
                .isThrownBy(() -> envelope("\"4111-1111\"").payload(Instant.class))
                .withMessageContaining("payload of 11 bytes cannot be decoded as java.time.Instant")
                .satisfies(e -> assertThat(e.toString()).doesNotContain("4111"));
    }

    @Test
    void theSizeLimitAppliesToThePublishedForm() {
        ContentRules rules = new ContentRules(JacksonCodec.standard(), 100, Deadlines.NONE, Set.of());
        Payload json = Payload.of((" ".repeat(96) + "true").getBytes(StandardCharsets.UTF_8));
        Payload noJson = Payload.of("x".repeat(76).getBytes(StandardCharsets.UTF_8));

        assertThat(rules.checked(json, "a")).isSameAs(json);
        assertThat(rules.checked(Payload.of(new byte[75]), "a").size()).isEqualTo(75);
        assertThatExceptionOfType(LimitException.class)
                .isThrownBy(() -> rules.checked(noJson, "timer a"))
                .withMessage(
                        "payload must be at most 100 bytes in Base64, since it is not JSON, but was 104 (timer a)");
        assertThatExceptionOfType(LimitException.class)
                .isThrownBy(() -> rules.checked(
                        Payload.of((" ".repeat(97) + "true").getBytes(StandardCharsets.UTF_8)), "timer a"))
                .withMessage("payload must be at most 100 bytes but was 101 (timer a)");
    }

    private static final class OtherCodec implements PayloadCodec {
        @Override
        public byte[] encode(Object payload) {
            return payload.toString().getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public <T> T decode(byte[] bytes, Class<T> type) {
            return type.cast(new String(bytes, StandardCharsets.UTF_8));
        }
    }

    private static Envelope envelope(String payload) {
        Payload bytes = Payload.of(payload.getBytes(StandardCharsets.UTF_8));
        return new Envelope("id-1", "default", 1, 7, Map.of("b", "2", "a", "1"), event("c-1", bytes));
    }

    private static DueTimeReached event(@org.jspecify.annotations.Nullable String correlationId, Payload payload) {
        return new DueTimeReached(
                TimerKey.of("acme", "order-17"),
                "payment-timeout",
                DUE,
                DUE.plusNanos(1_204_000),
                null,
                correlationId,
                payload);
    }
}
