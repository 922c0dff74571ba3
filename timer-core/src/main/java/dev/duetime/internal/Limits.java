package dev.duetime.internal;

import java.time.Duration;
import java.time.Instant;

/** The bounds of everything a user can hand in, and the one wording of their errors. */
public final class Limits {
    public static final int KEY_LENGTH = 255;
    public static final int QUEUE_LENGTH = 64;
    public static final int NAME_LENGTH = 255;
    public static final int RECURRENCE_LENGTH = 1000;
    public static final int REASON_LENGTH = 1000;
    public static final int HEADERS = 64;
    public static final int HEADER_LENGTH = 4096;
    public static final int PAYLOAD_BYTES = 1024 * 1024;
    public static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
    public static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999Z");

    /** The shortest duration that a setting may have, where zero makes no sense. */
    public static final Duration SHORTEST = Duration.ofMillis(1);

    /** The longest duration between two instants of a timer: about the years that can be stored. */
    public static final Duration LONGEST = Duration.ofDays(3_650_000);

    private static final Duration A_YEAR = Duration.ofDays(365);

    /** How much of an offending value a message repeats. */
    private static final int SHOWN = 80;

    private Limits() {}

    /** Refuses text that is null, empty, longer than {@code max} or holds what a database or a broker would change. */
    public static String text(String field, String value, int max) {
        if (value == null) {
            throw new LimitException(field, field + " must not be null");
        }
        if (value.isEmpty()) {
            throw new LimitException(field, field + " must not be empty");
        }
        if (value.length() > max) {
            throw new LimitException(
                    field,
                    "%s must be at most %s characters but was %s: %s"
                            .formatted(field, max, value.length(), shown(value)));
        }
        return printable(field, value);
    }

    /**
     * Refuses a name of this program's own, such as a queue's, also if it holds what is invisible in a log or breaks
     * its line.
     */
    public static String name(String field, String value, int max) {
        text(field, value, max);
        if (!Printable.line(value).equals(value)) {
            throw new LimitException(
                    field, "%s must not contain invisible characters but was %s".formatted(field, shown(value)));
        }
        return value;
    }

    /** Refuses control characters and unpaired surrogates, which UTF-8 columns reject or silently replace. */
    static String printable(String field, String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            boolean pair = Character.isHighSurrogate(c)
                    && i + 1 < value.length()
                    && Character.isLowSurrogate(value.charAt(i + 1));
            if (pair) {
                i++;
            } else if (Character.isISOControl(c) || Character.isSurrogate(c)) {
                throw new LimitException(
                        field,
                        "%s must not contain control characters or unpaired surrogates but had".formatted(field)
                                + " U+%04X at index %s: %s".formatted((int) c, i, shown(value)));
            }
        }
        return value;
    }

    public static void header(String name, String value) {
        text("header name", name, NAME_LENGTH);
        given("header " + name, value);
        number("length of header " + name, value.length(), 0, HEADER_LENGTH);
        printable("header " + name, value);
    }

    public static Instant instant(String field, Instant value) {
        if (value == null) {
            throw new LimitException(field, field + " must not be null");
        }
        if (!holds(value)) {
            throw new LimitException(
                    field, "%s must be between %s and %s but was %s".formatted(field, EARLIEST, LATEST, value));
        }
        return value;
    }

    public static boolean holds(Instant value) {
        return !value.isBefore(EARLIEST) && !value.isAfter(LATEST);
    }

    public static Duration duration(String setting, Duration value, Duration min, Duration max) {
        if (value == null) {
            throw new LimitException(setting, setting + " must not be null");
        }
        if (value.compareTo(min) < 0) {
            throw new LimitException(setting, "%s must be at least %s but was %s".formatted(setting, min, value));
        }
        if (value.compareTo(max) > 0) {
            throw new LimitException(setting, "%s must be at most %s but was %s".formatted(setting, max, value));
        }
        return value;
    }

    public static int number(String setting, int value, int min, int max) {
        if (value < min || value > max) {
            throw new LimitException(
                    setting, "%s must be between %s and %s but was %s".formatted(setting, min, max, value));
        }
        return value;
    }

    /** Refuses to have none of what there must be. */
    public static void atLeastOne(String what, int number) {
        if (number == 0) {
            throw new LimitException(what, "number of %s must be at least 1 but was 0".formatted(what));
        }
    }

    /** Returns the deadline that is so long after the due time, at most the latest that can be stored. */
    public static Instant deadline(Instant dueAt, Duration validFor) {
        Instant expiresAt = Micros.floor(dueAt.plus(validFor));
        return expiresAt.isAfter(LATEST) ? LATEST : expiresAt;
    }

    /** Refuses a delay that is negative or longer than 3,650,000 days. */
    public static Duration delay(String field, Duration value) {
        return duration(field, value, Duration.ZERO, LONGEST);
    }

    /** Refuses a duration for which a timer cannot be worth delivering. */
    public static Duration validFor(Duration value) {
        return duration("validFor", value, SHORTEST, LONGEST);
    }

    /** Refuses a limit, or a delay after an error, that is shorter than 1 ms or longer than a year. */
    public static Duration upToAYear(String setting, Duration value) {
        return duration(setting, value, SHORTEST, A_YEAR);
    }

    public static <T> T given(String setting, T value) {
        if (value == null) {
            throw new LimitException(setting, setting + " must not be null");
        }
        return value;
    }

    /** The value as a message may show it: short, and with what would break a log line made visible. */
    public static String shown(String value) {
        return Printable.quoted(value, SHOWN);
    }
}
