package dev.duetime.internal;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * A check which texts are JSON that a message may hold. It builds no objects.
 *
 * <p>The bounds are the defaults of Jackson, so that a receiver can read the message with Jackson. They are set here,
 * because an application may change the defaults. Names are not shared between messages: a message whose names have
 * equal hashes would make the others slow.
 */
public final class JsonText {
    /** How deep a message may be nested. */
    static final int LEVELS = StreamReadConstraints.DEFAULT_MAX_DEPTH;

    public static final String BOUNDS = "JSON of at most %d levels, numbers of %d digits and names of %d characters"
            .formatted(LEVELS, StreamReadConstraints.DEFAULT_MAX_NUM_LEN, StreamReadConstraints.DEFAULT_MAX_NAME_LEN);

    private static final JsonFactory FACTORY = factory(LEVELS);

    /** A payload is nested one level deep. */
    private static final JsonFactory PAYLOADS = factory(LEVELS - 1);

    private static final JsonMapper MAPPER = JsonMapper.builder(FACTORY).build();

    private JsonText() {}

    private static JsonFactory factory(int levels) {
        return JsonFactory.builder()
                .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(levels)
                        .maxNumberLength(StreamReadConstraints.DEFAULT_MAX_NUM_LEN)
                        .maxNameLength(StreamReadConstraints.DEFAULT_MAX_NAME_LEN)
                        .maxStringLength(Integer.MAX_VALUE)
                        .build())
                .build();
    }

    /** Returns a parser of a message; it throws nothing but {@link JacksonException}s. */
    public static JsonParser parser(String json) {
        return FACTORY.createParser(ObjectReadContext.empty(), json);
    }

    /**
     * Returns a mapper that keeps nothing of what it has read. A usual one keeps the names for all further messages:
     * thousands, each as long as a sender likes.
     */
    public static JsonMapper mapper() {
        return MAPPER;
    }

    /** Returns the text of bytes in UTF-8. */
    public static String utf8(byte[] bytes) throws CharacterCodingException {
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes))
                .toString();
    }

    /**
     * Returns the payload as a message holds it, or null if it is not one JSON value in UTF-8.
     *
     * @param layout whether white space around the payload may go, and line breaks may become spaces; if not, the
     *     result is null for a payload that has any
     */
    public static @Nullable String inMessage(byte[] payload, boolean layout) {
        try {
            String text = utf8(payload);
            String line = onOneLine(text);
            // Asked of the text as it is: a line break inside a string makes it none.
            return (layout || line.equals(text)) && isValue(text) ? line : null;
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    /** Returns the text without white space around it and without line breaks, which JSON has between tokens only. */
    private static String onOneLine(String json) {
        int start = 0;
        int end = json.length();
        while (start < end && isSpace(json.charAt(start))) {
            start++;
        }
        while (start < end && isSpace(json.charAt(end - 1))) {
            end--;
        }
        return json.substring(start, end).replace('\n', ' ').replace('\r', ' ');
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\n' || c == '\r' || c == '\t';
    }

    /** Returns whether the text is one JSON value that may be a payload. */
    private static boolean isValue(String json) {
        try (JsonParser parser = PAYLOADS.createParser(ObjectReadContext.empty(), json)) {
            JsonToken first = parser.nextToken();
            if (first == null) {
                return false;
            }
            parser.skipChildren();
            parser.finishToken();
            // At the end of a text a number may be a digit longer than inside a message.
            return parser.nextToken() == null && (!first.isNumeric() || isValue("[" + json + "]"));
        } catch (JacksonException e) {
            return false;
        }
    }
}
