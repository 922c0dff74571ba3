package dev.duetime;

import dev.duetime.internal.Inside;
import dev.duetime.internal.JsonText;
import dev.duetime.internal.MessageSize;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The payload of a timer: bytes, and the codec that reads them. Two payloads are equal if their bytes are equal. The
 * text form shows the size only. Immutable and thread-safe.
 */
public final class Payload {
    /** The payload of a timer that carries none. */
    public static final Payload NONE = new Payload(new byte[0], JacksonCodec.standard());

    static {
        Inside.<Payload>open(Payload.class, payload -> (MessageSize) payload::sizeInMessage);
    }

    private final byte[] bytes;
    private final PayloadCodec codec;

    private Payload(byte[] bytes, PayloadCodec codec) {
        this.bytes = bytes;
        this.codec = codec;
    }

    /** Returns a payload with a copy of these bytes, read as JSON. If it is scheduled, no codec encodes it again. */
    public static Payload of(byte[] bytes) {
        return wrap(bytes.clone());
    }

    /** Returns a payload of these bytes without a copy, for stores. The caller must not change the array any more. */
    public static Payload wrap(byte[] bytes) {
        return bytes.length == 0 ? NONE : new Payload(bytes, JacksonCodec.standard());
    }

    /**
     * Returns the payload that a scheduler with this codec stores for an object. Use it to build envelopes in tests of
     * publishers. A {@link Payload} keeps its bytes, and is read by this codec from now on.
     *
     * @throws PayloadException if the codec throws or returns null
     */
    public static Payload encode(Object payload, PayloadCodec codec) {
        if (payload instanceof Payload encoded) {
            return encoded.readBy(codec);
        }
        try {
            return new Payload(Objects.requireNonNull(codec.encode(payload), "the codec returned null"), codec);
        } catch (RuntimeException e) {
            throw new PayloadException("payload of type " + payload.getClass().getName() + " cannot be encoded", e);
        }
    }

    /**
     * Returns the same bytes, to be read by another codec. For receivers: {@link Envelope#fromJson} reads a payload as
     * JSON, whatever codec the sender used.
     */
    public Payload readBy(PayloadCodec other) {
        return other == codec || isEmpty() ? this : new Payload(bytes, other);
    }

    /**
     * Returns the payload as an object.
     *
     * @throws PayloadException if there is no payload, or the bytes are not such an object
     */
    public <T> T as(Class<T> type) {
        try {
            return codec.decode(bytes, type);
        } catch (RuntimeException e) {
            throw new PayloadException(
                    "payload of %d bytes cannot be decoded as %s".formatted(bytes.length, type.getName()), e);
        }
    }

    /** Returns a copy of the bytes. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** Returns how many bytes there are. */
    public int size() {
        return bytes.length;
    }

    /** Returns whether the timer carries nothing. */
    public boolean isEmpty() {
        return bytes.length == 0;
    }

    /**
     * Returns the payload as it is in JSON messages; null if it is no JSON, and is therefore in Base64. Only a payload
     * that is read as JSON may lose white space: the bytes of another codec may be JSON by chance.
     */
    @Nullable
    String inMessage() {
        return JsonText.inMessage(bytes, codec instanceof JacksonCodec);
    }

    private int sizeInMessage() {
        return inMessage() == null ? MessageSize.inBase64(bytes.length) : bytes.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Payload that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** Returns the size, never the content. */
    @Override
    public String toString() {
        return "Payload[" + bytes.length + " bytes]";
    }
}
