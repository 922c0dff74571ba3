package dev.duetime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
    void fieldsThatAreNotThereAreAbsent() {
        Envelope bare = new Envelope("id-1", "default", 1, 0, Map.of(), event(null, Payload.NONE));

        assertThat(bare.toJson()).doesNotContain("correlationId", "headers", "payload");
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
                "123456789012345678901234567890.000"
            })
    void aPayloadReadsBackByteForByte(String json) {
        Envelope envelope = envelope(json);

        assertThat(Envelope.fromJson(envelope.toJson())).isEqualTo(envelope);
    }

    @Test
    void aPayloadOfJsonNullReadsBackAsNone() {
        assertThat(Envelope.fromJson(envelope("null").toJson())
                        .event()
                        .payload()
                        .isEmpty())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"not json", "{\"a\":1}\n", "{} {}", "", "{\"a\":", "\u0000"})
    void aPayloadThatIsNotOneLineOfJsonReadsBackThroughBase64(String text) {
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
    void aPayloadThatIsNoSuchObjectIsRefusedWithoutItsContent() {
        assertThatExceptionOfType(PayloadException.class)
                .isThrownBy(() -> envelope("\"4111-1111\"").payload(Instant.class))
                .withMessageContaining("payload of 11 bytes cannot be decoded as java.time.Instant")
                .satisfies(e -> assertThat(e.toString()).doesNotContain("4111"));
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
