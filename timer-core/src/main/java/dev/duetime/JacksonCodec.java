package dev.duetime;

import dev.duetime.internal.Limits;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/** A codec that writes payloads as JSON in UTF-8, with Jackson 3; times are ISO-8601. Immutable and thread-safe. */
public final class JacksonCodec implements PayloadCodec {
    private static final JacksonCodec DEFAULT = new JacksonCodec(new JsonMapper());

    private final ObjectMapper mapper;

    /** Creates a codec that uses the user's mapper. */
    public JacksonCodec(ObjectMapper mapper) {
        this.mapper = Limits.given("mapper", mapper);
    }

    /** Returns the default codec: a plain {@link JsonMapper}. */
    public static JacksonCodec standard() {
        return DEFAULT;
    }

    @Override
    public byte[] encode(Object payload) {
        return mapper.writeValueAsBytes(payload);
    }

    @Override
    public <T> T decode(byte[] bytes, Class<T> type) {
        return mapper.readValue(bytes, type);
    }
}
