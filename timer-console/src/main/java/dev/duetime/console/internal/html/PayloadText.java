package dev.duetime.console.internal.html;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** A payload as people read it: text, if it is text, else bytes in hexadecimal. */
public final class PayloadText {
    private static final int MOST_CHARACTERS = 20_000;
    private static final int MOST_BYTES = 2_048;
    private static final int LINE = 16;

    private PayloadText() {}

    /** Returns the payload as text; a long one is cut. */
    public static String of(byte[] payload) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(payload))
                    .toString();
            String shown = text.startsWith("{") || text.startsWith("[") ? indented(text) : text;
            return shown.length() <= MOST_CHARACTERS ? shown : shown.substring(0, MOST_CHARACTERS) + "\n…";
        } catch (CharacterCodingException e) {
            return hexadecimal(payload);
        }
    }

    /** Returns JSON with line breaks. A text that only looks like JSON gets line breaks as well. */
    private static String indented(String json) {
        StringBuilder text = new StringBuilder();
        int depth = 0;
        boolean quoted = false;
        for (int i = 0; i < json.length() && text.length() <= MOST_CHARACTERS; i++) {
            char c = json.charAt(i);
            if (quoted) {
                text.append(c);
                if (c == '\\' && i + 1 < json.length()) {
                    text.append(json.charAt(++i));
                } else if (c == '"') {
                    quoted = false;
                }
                continue;
            }
            switch (c) {
                case '"' -> {
                    quoted = true;
                    text.append(c);
                }
                case '{', '[' -> {
                    depth++;
                    line(text.append(c), depth);
                }
                case '}', ']' -> {
                    depth = Math.max(0, depth - 1);
                    line(text, depth).append(c);
                }
                case ',' -> line(text.append(c), depth);
                case ':' -> text.append(": ");
                default -> {
                    if (!Character.isWhitespace(c)) {
                        text.append(c);
                    }
                }
            }
        }
        return text.toString();
    }

    private static StringBuilder line(StringBuilder text, int depth) {
        return text.append('\n').append("  ".repeat(Math.min(depth, 20)));
    }

    private static String hexadecimal(byte[] payload) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < payload.length && i < MOST_BYTES; i++) {
            text.append(String.format("%02x", payload[i])).append(i % LINE == LINE - 1 ? '\n' : ' ');
        }
        return payload.length > MOST_BYTES ? text.append('…').toString() : text.toString();
    }
}
