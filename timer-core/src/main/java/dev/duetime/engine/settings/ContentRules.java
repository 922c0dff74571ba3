package dev.duetime.engine.settings;

import dev.duetime.Payload;
import dev.duetime.PayloadCodec;
import dev.duetime.internal.Inside;
import dev.duetime.internal.LimitException;
import dev.duetime.internal.MessageSize;
import java.util.Set;

/**
 * The rules that a scheduler adds to each timer, and its limit for payloads.
 *
 * @param codec encodes payloads
 * @param maxPayloadBytes the largest payload, as it is in a message
 * @param deadlines how long timers without a deadline are worth delivering
 * @param todoQueues the queues that take todos only
 */
public record ContentRules(PayloadCodec codec, int maxPayloadBytes, Deadlines deadlines, Set<String> todoQueues) {

    /** Copies the queues. */
    public ContentRules {
        todoQueues = Set.copyOf(todoQueues);
    }

    /**
     * Returns the payload.
     *
     * @param of whose it is
     * @throws IllegalArgumentException if it is larger than the limit
     */
    public Payload checked(Payload payload, Object of) {
        // Most payloads are so small that it does not matter whether they are JSON.
        if (MessageSize.inBase64(payload.size()) > maxPayloadBytes) {
            check(payload, Inside.of(payload.readBy(codec), MessageSize.class).inMessage(), of);
        }
        return payload;
    }

    private void check(Payload payload, int size, Object of) {
        if (payload.size() > maxPayloadBytes) {
            throw new LimitException(
                    "payload",
                    "payload must be at most %d bytes but was %d (%s)".formatted(maxPayloadBytes, payload.size(), of));
        }
        if (size > maxPayloadBytes) {
            throw new LimitException(
                    "payload",
                    "payload must be at most %d bytes in Base64, since it is not JSON, but was %d (%s)"
                            .formatted(maxPayloadBytes, size, of));
        }
    }
}
