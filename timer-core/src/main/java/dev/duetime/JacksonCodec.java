package dev.duetime;

import dev.duetime.internal.Limits;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/** A codec that writes payloads as JSON in UTF-8, with Jackson 3; times are ISO-8601. Immutable and thread-safe. */
public final class JacksonCodec implements PayloadCodec {
    private final ObjectMapper mapper;

    /** Creates a codec that uses the user's mapper. */
    public JacksonCodec(ObjectMapper mapper) {
        this.mapper = Limits.given("mapper", mapper);
    }

    /**
     * Returns the default codec: a plain {@link JsonMapper} that keeps no names of what it has read.
     *
     * @throws IllegalStateException if Jackson 3 cannot be loaded, usually because the annotations on the class path
     *     are older than 2.22
     */
    public static JacksonCodec standard() {
        try {
            return Standard.CODEC;
        } catch (LinkageError e) {
            throw new IllegalStateException(
                    "jackson-annotations must be 2.22 or later for Jackson 3, but those on the class path seem to"
                            + " be older: add com.fasterxml.jackson.core:jackson-annotations with version 2.22 to the"
                            + " dependencies; Jackson 2 works with it, too",
                    e);
        }
    }

    @Override
    public byte[] encode(Object payload) {
        return mapper.writeValueAsBytes(payload);
    }

    @Override
    public <T> T decode(byte[] bytes, Class<T> type) {
        return mapper.readValue(bytes, type);
    }

    /** The default codec, apart from the class, so that an error while it is loaded can be explained. */
    private static final class Standard {
        static final JacksonCodec CODEC = new JacksonCodec(JsonMapper.builder(JsonFactory.builder()
                        .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
                        .build())
                .build());
    }
}
