package dev.duetime.console.internal.html;

import dev.duetime.admin.TimerSummary;
import dev.duetime.recurrence.CalendarRecurrence;
import dev.duetime.recurrence.CalendarUnit;
import dev.duetime.recurrence.CronRecurrence;
import dev.duetime.recurrence.IntervalRecurrence;
import dev.duetime.recurrence.Recurrence;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.Month;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.TextStyle;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rule of a recurring timer in words, and the times that it gives. Immutable and thread-safe. */
public final class RuleText {
    private static final DateTimeFormatter LOCAL =
            DateTimeFormatter.ofPattern("EEE uuuu-MM-dd HH:mm:ss", Locale.ENGLISH);
    private static final int FIELDS = 5;

    private final String text;
    private final String catchUp;
    private final @Nullable Recurrence recurrence;

    private RuleText(String text, String catchUp, @Nullable Recurrence recurrence) {
        this.text = text;
        this.catchUp = catchUp;
        this.recurrence = recurrence;
    }

    /** Returns the rule of a timer. One that this node cannot read is shown as it is stored, and gives no times. */
    public static RuleText of(TimerSummary timer) {
        String stored = String.valueOf(timer.recurrence());
        String catchUp = switch (String.valueOf(timer.catchUp())) {
            case "ALL" -> "catches up with all missed times";
            case "NONE" -> "skips missed times";
            default -> "catches up with the latest missed time";
        };
        try {
            return new RuleText(stored, catchUp, Recurrence.parse(stored));
        } catch (IllegalArgumentException e) {
            return new RuleText(stored, catchUp, null);
        }
    }

    /** Returns what becomes of times that were missed. */
    public String catchUp() {
        return catchUp;
    }

    /** Returns the rule in words. */
    public String words() {
        if (recurrence instanceof IntervalRecurrence interval) {
            return "every " + Words.span(interval.length())
                    + (interval.anchor().equals(Instant.EPOCH) ? "" : ", counted from " + Words.utc(interval.anchor()));
        } else if (recurrence instanceof CalendarRecurrence calendar) {
            return words(calendar);
        } else if (recurrence instanceof CronRecurrence cron) {
            return cron(cron.expression()) + " in " + cron.zone();
        }
        return text;
    }

    private static String words(CalendarRecurrence calendar) {
        CalendarUnit unit = calendar.unit();
        DayOfWeek day = calendar.rules().firstDayOfWeek();
        Month month = calendar.rules().firstMonthOfYear();
        String begin = switch (unit) {
            case MINUTE, HOUR, DAY, MONTH -> "";
            case WEEK -> ", from " + day.getDisplayName(TextStyle.FULL, Locale.ENGLISH);
            case QUARTER, YEAR ->
                month == Month.JANUARY ? "" : ", of years from " + month.getDisplayName(TextStyle.FULL, Locale.ENGLISH);
        };
        return "at the beginning of each " + unit.name().toLowerCase(Locale.ROOT) + begin + " in "
                + calendar.rules().zone();
    }

    /** Returns the words for the usual forms; other ones are shown as they are. */
    private static String cron(String expression) {
        String[] fields = expression.split(" ", -1);
        if (fields.length == FIELDS && fields[2].equals("*") && fields[3].equals("*")) {
            Optional<String> time = time(fields[0], fields[1]);
            Optional<String> days = days(fields[4]);
            if (time.isPresent() && days.isPresent()) {
                return time.get() + days.get();
            }
        }
        return "cron " + expression;
    }

    private static Optional<String> time(String minute, String hour) {
        if (hour.equals("*") && minute.matches("\\*/[1-9]\\d?")) {
            return Optional.of("every " + minute.substring(2) + " minutes");
        } else if (hour.equals("*") && minute.matches("\\d{1,2}")) {
            return Optional.of("at minute " + minute + " of each hour");
        } else if (hour.matches("\\d{1,2}") && minute.matches("\\d{1,2}")) {
            return Optional.of("at %02d:%02d".formatted(Integer.parseInt(hour), Integer.parseInt(minute)));
        }
        return Optional.empty();
    }

    private static Optional<String> days(String field) {
        if (field.equals("*")) {
            return Optional.of(", every day");
        }
        if (!field.matches("[0-7](,[0-7])*")) {
            return field.equals("1-5") ? Optional.of(", Monday to Friday") : Optional.empty();
        }
        List<String> names = new ArrayList<>();
        for (String each : field.split(",", -1)) {
            int day = Integer.parseInt(each);
            names.add(DayOfWeek.of(day == 0 ? DayOfWeek.SUNDAY.getValue() : day)
                    .getDisplayName(TextStyle.FULL, Locale.ENGLISH));
        }
        return Optional.of(", " + String.join(", ", names));
    }

    /** Returns an occurrence and those that follow it, in the zone of the rule. */
    public List<ZonedDateTime> next(Instant occurrence, int most) {
        List<ZonedDateTime> times = new ArrayList<>();
        Optional<Instant> next = Optional.of(occurrence);
        while (recurrence != null && next.isPresent() && times.size() < most) {
            times.add(next.get().atZone(zone()));
            next = recurrence.next(next.get());
        }
        return times;
    }

    private ZoneId zone() {
        if (recurrence instanceof CalendarRecurrence calendar) {
            return calendar.rules().zone();
        }
        return recurrence instanceof CronRecurrence cron ? cron.zone() : ZoneOffset.UTC;
    }

    /** Returns a time as the clocks of its zone show it. */
    public String local(ZonedDateTime time) {
        return LOCAL.format(time) + (time.getZone().equals(ZoneOffset.UTC) ? " UTC" : "");
    }
}
