package dev.duetime.recurrence;

import dev.duetime.internal.Errors;
import dev.duetime.internal.LimitException;
import dev.duetime.internal.Limits;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.Month;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The text form of {@link Recurrence}: words first, then settings that differ from the default, as {@code name=value}.
 * A word with spaces is in quotes. Stored rows contain this text, so every text that was ever written must stay
 * readable.
 */
final class RecurrenceText {
    private static final String CATCH_UP = "catchUp";

    private static final String FIRST = "first";
    private static final String FISCAL = "fiscal";
    private static final String ANCHOR = "anchor";
    private static final Pattern WORD = Pattern.compile("\"[^\"]*\"|\\S+");

    private RecurrenceText() {}

    static String of(IntervalRecurrence interval) {
        return "every " + interval.length() + setting(ANCHOR, interval.anchor(), Instant.EPOCH) + catchUp(interval);
    }

    static String of(CalendarRecurrence calendar) {
        CalendarRules rules = calendar.rules();
        return calendar.unit().name().toLowerCase(Locale.ROOT)
                + " "
                + rules.zone()
                + setting(FIRST, rules.firstDayOfWeek(), DayOfWeek.MONDAY)
                + setting(FISCAL, rules.firstMonthOfYear(), Month.JANUARY)
                + catchUp(calendar);
    }

    static String of(CronRecurrence cron) {
        return "cron \"" + cron.expression() + "\" " + cron.zone() + catchUp(cron);
    }

    private static String catchUp(Recurrence recurrence) {
        return setting(CATCH_UP, recurrence.catchUp(), CatchUp.LATEST);
    }

    private static String setting(String name, Object value, Object usual) {
        return value.equals(usual) ? "" : " " + name + "=" + value;
    }

    static Recurrence parse(String text) {
        Limits.text("recurrence", text, Limits.RECURRENCE_LENGTH);
        List<String> words = new ArrayList<>();
        Map<String, String> settings = new LinkedHashMap<>();
        WORD.matcher(text).results().map(found -> found.group()).forEach(word -> {
            int equals = word.startsWith("\"") ? -1 : word.indexOf('=');
            if (equals < 0) {
                words.add(word.replace("\"", ""));
            } else if (settings.put(word.substring(0, equals), word.substring(equals + 1)) != null) {
                throw unreadable(text, "a setting occurs twice");
            }
        });
        try {
            Recurrence recurrence =
                    read(words, settings).catchUp(take(settings, CATCH_UP, CatchUp::valueOf, CatchUp.LATEST));
            if (!settings.isEmpty()) {
                throw unreadable(
                        text, "unknown setting " + settings.keySet().iterator().next());
            }
            return recurrence;
        } catch (DateTimeException | IllegalArgumentException e) {
            throw e instanceof LimitException known && known.field().equals("recurrence")
                    ? known
                    : unreadable(text, String.valueOf(Errors.message(e)));
        }
    }

    private static Recurrence read(List<String> words, Map<String, String> settings) {
        String kind = words.isEmpty() ? "" : words.get(0);
        if (words.size() != (kind.equals("cron") ? 3 : 2)) {
            throw new IllegalArgumentException("wrong number of words");
        }
        return switch (kind) {
            case "every" ->
                Recurrence.every(Duration.parse(words.get(1)), take(settings, ANCHOR, Instant::parse, Instant.EPOCH));
            case "cron" -> Recurrence.cron(words.get(1), ZoneId.of(words.get(2)));
            default ->
                Recurrence.each(
                        CalendarUnit.valueOf(kind.toUpperCase(Locale.ROOT)),
                        CalendarRules.in(ZoneId.of(words.get(1)))
                                .weekFrom(take(settings, FIRST, DayOfWeek::valueOf, DayOfWeek.MONDAY))
                                .yearFrom(take(settings, FISCAL, Month::valueOf, Month.JANUARY)));
        };
    }

    private static <T> T take(Map<String, String> settings, String name, Function<String, T> read, T usual) {
        String value = settings.remove(name);
        return value == null ? usual : read.apply(value);
    }

    private static LimitException unreadable(String text, String reason) {
        return new LimitException(
                "recurrence", "recurrence %s cannot be read: %s".formatted(Limits.shown(text), reason));
    }
}
