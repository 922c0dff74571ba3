package dev.duetime.examples.timerservice;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A reader of settings from environment variables. A variable that is missing or empty means the default. Each method
 * throws an {@link IllegalArgumentException} that names the variable, what is allowed and the value. Immutable and
 * thread-safe.
 */
final class Environment {
    private static final Pattern SHORT_DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|h)?");

    private final Map<String, String> variables;

    Environment(Map<String, String> variables) {
        this.variables = Map.copyOf(variables);
    }

    /** Returns a text that matches the pattern. */
    String text(String name, String standard, Pattern allowed, String description) {
        String value = value(name, standard);
        if (!allowed.matcher(value).matches()) {
            throw refused(name, description, value);
        }
        return value;
    }

    /** Returns a whole number, {@code least} and {@code most} included. */
    int number(String name, int standard, int least, int most) {
        String value = value(name, String.valueOf(standard));
        String description = "a whole number from %d to %d".formatted(least, most);
        try {
            int number = Integer.parseInt(value);
            if (number < least || number > most) {
                throw refused(name, description, value);
            }
            return number;
        } catch (NumberFormatException e) {
            throw refused(name, description, value);
        }
    }

    /**
     * Returns a duration such as {@code 5000} (in milliseconds), {@code 5s} or {@code PT5S}, {@code least} and {@code
     * most} included.
     */
    Duration duration(String name, Duration standard, Duration least, Duration most) {
        String value = value(name, standard.toString());
        String description = "a duration from %s to %s, such as 5000 (milliseconds), 5s or PT5S".formatted(least, most);
        try {
            Duration duration = parse(value);
            if (duration.compareTo(least) < 0 || duration.compareTo(most) > 0) {
                throw refused(name, description, value);
            }
            return duration;
        } catch (DateTimeParseException e) {
            throw refused(name, description, value);
        }
    }

    private static Duration parse(String value) {
        Matcher matcher = SHORT_DURATION.matcher(value);
        if (!matcher.matches()) {
            return Duration.parse(value);
        }
        long amount = Long.parseLong(matcher.group(1));
        String unit = matcher.group(2) == null ? "ms" : matcher.group(2);
        return switch (unit) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            default -> Duration.ofHours(amount);
        };
    }

    private String value(String name, String standard) {
        String value = variables.getOrDefault(name, "");
        return value.isEmpty() ? standard : value;
    }

    /** Returns the refusal of a value, which is shown without the login that a URL may hold. */
    static IllegalArgumentException refused(String name, String allowed, String value) {
        return new IllegalArgumentException(
                "%s must be %s but was \"%s\"".formatted(name, allowed, Secrets.hidden(value)));
    }
}
