package dev.duetime.lab.microbenchmark;

import dev.duetime.DueTimeReached;
import dev.duetime.Envelope;
import dev.duetime.JacksonCodec;
import dev.duetime.Payload;
import dev.duetime.TimerKey;
import java.time.Instant;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;

/** A measurement of what a payload and an envelope cost to write and to read. */
public class CodecBenchmark extends NanosPerCall {
    private final JacksonCodec codec = JacksonCodec.standard();
    private final PaymentTimeout payload = new PaymentTimeout("order-0000001", "customer-4711", 129_90, "EUR");
    private final byte[] encoded = codec.encode(payload);
    private final Envelope envelope = envelope();
    private final String json = envelope.toJson();

    /** A typical payload: 81 bytes of JSON. */
    public record PaymentTimeout(String orderId, String customerId, int cents, String currency) {}

    private Envelope envelope() {
        Instant due = Instant.parse("2026-01-01T00:00:00.123456Z");
        TimerKey key = TimerKey.of("acme", "order-0000001");
        DueTimeReached event =
                new DueTimeReached(key, "payment-timeout", due, due, null, null, Payload.encode(payload, codec));
        return new Envelope("0f0c8a4e-2f52-4a39-8a68-3f0e5a0f6b11", "default", 1, 0, Map.of(), event);
    }

    @Benchmark
    public byte[] encodePayload() {
        return codec.encode(payload);
    }

    @Benchmark
    public PaymentTimeout decodePayload() {
        return codec.decode(encoded, PaymentTimeout.class);
    }

    @Benchmark
    public String writeEnvelope() {
        return envelope.toJson();
    }

    @Benchmark
    public Envelope readEnvelope() {
        return Envelope.fromJson(json);
    }
}
