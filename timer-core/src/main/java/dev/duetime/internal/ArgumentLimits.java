package dev.duetime.internal;

import org.jspecify.annotations.Nullable;

/** Checks of users' arguments, with the same messages everywhere. */
public final class ArgumentLimits {
    private static final int LONGEST = 100;
    private static final int LONGEST_QUEUE = 64;

    private ArgumentLimits() {}

    public static <T> T given(String what, @Nullable T value) {
        if (value == null) {
            throw new IllegalArgumentException(what + " must not be null");
        }
        return value;
    }

    /** Returns the name of a subscription: a part of keys, whose parts are divided by slashes. */
    public static String subscription(String name) {
        String checked = text("name", name, LONGEST);
        if (checked.indexOf('/') >= 0) {
            throw new IllegalArgumentException("name must have no slashes but was " + checked);
        }
        return checked;
    }

    public static String queue(String name) {
        return text("queue", name, LONGEST_QUEUE);
    }

    private static String text(String what, String value, int longest) {
        int length = given(what, value).length();
        if (length < 1 || length > longest) {
            throw new IllegalArgumentException(
                    "%s must have 1 to %d characters but had %d".formatted(what, longest, length));
        }
        if (!Printable.line(value).equals(value)) {
            throw new IllegalArgumentException(
                    what + " must have no control or invisible characters but was " + Printable.line(value));
        }
        return value;
    }

    public static void atLeastOne(String what, int number) {
        if (number == 0) {
            throw new IllegalArgumentException("number of " + what + " must be at least 1 but was 0");
        }
    }

    public static IllegalArgumentException twice(String id) {
        return new IllegalArgumentException("name must subscribe to a kind of event once but does so again: " + id);
    }
}
