package dev.duetime.console.internal.html;

import dev.duetime.admin.BoundedCount;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Numbers and times as people read them. */
public final class Words {
    private static final DateTimeFormatter INSTANT =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter LOCAL =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final int SHORT = 80;

    private Words() {}

    /** Returns a number with groups of digits. */
    public static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** Returns a count, with a plus sign if there may be more. */
    public static String count(BoundedCount count) {
        return number(count.timers()) + (count.isExact() ? "" : "+");
    }

    /** Returns a count with its noun in the right form. */
    public static String many(long number, String one, String several) {
        return number(number) + " " + (number == 1 ? one : several);
    }

    /** Returns an instant in UTC, to the second. */
    public static String utc(Instant instant) {
        return INSTANT.format(instant) + " UTC";
    }

    /** Returns an instant in UTC as the value of a field for a date and a time, to the second. */
    public static String local(Instant instant) {
        return LOCAL.format(instant);
    }

    /** Returns an instant with how far it is from now, as an element with the exact time as its title. */
    public static Html when(@Nullable Instant instant, Instant now) {
        return instant == null
                ? Html.el("span", Html.at("class", "quiet"), "–")
                : Html.el("time", Html.at("datetime", instant), Html.at("title", instant), relative(instant, now));
    }

    /** Returns how far an instant is from now: {@code in 5 min}, {@code 3 h ago}, {@code just now}. */
    public static String relative(Instant instant, Instant now) {
        Duration gap = Duration.between(now, instant);
        if (gap.abs().compareTo(Duration.ofSeconds(1)) < 0) {
            return "just now";
        }
        return gap.isNegative() ? span(gap.negated()) + " ago" : "in " + span(gap);
    }

    /**
     * Returns a duration in its two largest units. A negative one is none: a page may read what began a moment after
     * the time of the page.
     */
    public static String span(Duration duration) {
        if (duration.isNegative()) {
            return span(Duration.ZERO);
        }
        long seconds = duration.toSeconds();
        if (seconds < 1) {
            return duration.toMillis() + " ms";
        }
        if (seconds < 60) {
            return seconds + " s";
        }
        if (seconds < 3_600) {
            return two(seconds / 60, "min", seconds % 60, "s");
        }
        if (seconds < 86_400) {
            return two(seconds / 3_600, "h", seconds % 3_600 / 60, "min");
        }
        long days = seconds / 86_400;
        return days < 730 ? two(days, "d", seconds % 86_400 / 3_600, "h") : days / 365 + " years";
    }

    private static String two(long first, String unit, long second, String smaller) {
        return first + " " + unit + (second == 0 || first >= 10 ? "" : " " + second + " " + smaller);
    }

    /** Returns the beginning of a text. One of spaces is quoted, so that it can be seen, and a link of it clicked. */
    public static String cut(String text) {
        if (text.isBlank()) {
            return "\u201c" + text + "\u201d";
        }
        return text.codePointCount(0, text.length()) <= SHORT
                ? text
                : text.substring(0, text.offsetByCodePoints(0, SHORT - 1)) + "…";
    }

    /** Returns the last part of a class name. */
    public static String simpleName(String className) {
        int dot = className.lastIndexOf('.');
        return className.indexOf(' ') < 0 && dot >= 0 && dot < className.length() - 1
                ? className.substring(dot + 1)
                : className;
    }

    /** Returns an instant cut to seconds, for an address. */
    public static String seconds(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
