package dev.duetime.console.internal.html;

import dev.duetime.StoredTimer;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A timer as the Java code that schedules it. Texts of users stay inside their quotes. */
public final class JavaText {
    private static final char FIRST_PRINTABLE = ' ';
    private static final char LAST_PRINTABLE = '~';

    private JavaText() {}

    /** Returns the code, without the payload. */
    public static String of(StoredTimer timer) {
        TimerContent content = timer.content();
        StringBuilder code = new StringBuilder("scheduler.schedule(");
        if (content.recurrence() == null) {
            code.append("Timer.at(").append(key(timer.key())).append(", ");
            code.append(instant(content.dueAt())).append(")");
        } else {
            code.append("Timer.recurring(").append(key(timer.key())).append(", Recurrence.parse(");
            code.append(literal(content.recurrence() + " catchUp=" + content.catchUp()))
                    .append("))");
        }
        call(code, "type", content.type());
        call(code, "queue", content.queue());
        call(code, "correlationId", content.correlationId());
        call(code, "parallelKey", content.parallelKey());
        call(code, "correlationKey", content.correlationKey());
        content.headers()
                .forEach((name, value) -> code.append("\n        .header(")
                        .append(literal(name))
                        .append(", ")
                        .append(literal(value))
                        .append(")"));
        if (content.priority() != 0) {
            code.append("\n        .priority(").append(content.priority()).append(")");
        }
        if (content.expiresAt() != null && content.recurrence() == null) {
            code.append("\n        .expiresAt(")
                    .append(instant(content.expiresAt()))
                    .append(")");
        }
        if (!content.payload().isEmpty()) {
            code.append("\n        // .payload(…), ")
                    .append(content.payload().size())
                    .append(" bytes");
        }
        return code.append("\n        .build());").toString();
    }

    private static String key(TimerKey key) {
        return key.tenantId().equals(TimerKey.DEFAULT_TENANT)
                ? "TimerKey.of(" + literal(key.timerId()) + ")"
                : "TimerKey.of(" + literal(key.tenantId()) + ", " + literal(key.timerId()) + ")";
    }

    private static String instant(Instant instant) {
        return "Instant.parse(\"" + instant + "\")";
    }

    private static void call(StringBuilder code, String method, @Nullable String value) {
        if (value != null) {
            code.append("\n        .")
                    .append(method)
                    .append('(')
                    .append(literal(value))
                    .append(')');
        }
    }

    /**
     * Returns a text as a literal. Control characters are octal: a compiler would read their Unicode escapes as the
     * characters themselves, so a line break would end the literal.
     */
    static String literal(String text) {
        StringBuilder literal = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            if (each == '"' || each == '\\') {
                literal.append('\\').append(each);
            } else if (each < FIRST_PRINTABLE) {
                literal.append(String.format("\\%03o", (int) each));
            } else if (each > LAST_PRINTABLE) {
                literal.append(String.format("\\u%04x", (int) each));
            } else {
                literal.append(each);
            }
        }
        return literal.append('"').toString();
    }
}
