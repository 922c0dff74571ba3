package dev.duetime.passage;

import dev.duetime.MalformedMessageException;
import dev.duetime.internal.Errors;
import dev.duetime.internal.JsonText;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The JSON form of {@link TimeHasPassed}. */
final class PassageJson {
    private static final JsonMapper MAPPER = JsonText.mapper();
    private static final String WHOLE = "$";

    private final JsonNode json;

    private PassageJson(JsonNode json) {
        this.json = json;
    }

    static String write(TimeHasPassed event) {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("event", event.type());
        json.put("now", event.now().toString());
        Instant previous = event.previous();
        if (previous != null) {
            json.put("previous", previous.toString());
        }
        json.put("zone", event.zone().getId());
        json.put("start", event.start().toString());
        json.put("end", event.end().toString());
        name(json, event);
        return json.toString();
    }

    private static void name(ObjectNode json, TimeHasPassed event) {
        if (event instanceof MinuteHasPassed minute) {
            json.put("time", minute.time().toString());
        } else if (event instanceof HourHasPassed hour) {
            json.put("time", hour.time().toString());
        } else if (event instanceof DayHasPassed day) {
            json.put("date", day.date().toString());
        } else if (event instanceof WorkingDayHasPassed day) {
            json.put("date", day.date().toString());
        } else if (event instanceof WeekHasPassed week) {
            json.put("firstDate", week.firstDate().toString());
            json.put("lastDate", week.lastDate().toString());
        } else if (event instanceof MonthHasPassed month) {
            json.put("month", month.month().toString());
        } else if (event instanceof QuarterHasPassed quarter) {
            json.put("year", quarter.year());
            json.put("quarter", quarter.quarter());
            json.put("firstMonth", quarter.firstMonth().toString());
        } else if (event instanceof YearHasPassed year) {
            json.put("year", year.year());
            json.put("firstMonth", year.firstMonth().toString());
        } else if (event instanceof IntervalHasPassed interval) {
            json.put("length", interval.length().toString());
        }
    }

    static TimeHasPassed read(String text) {
        try {
            JsonNode json = MAPPER.readTree(text);
            if (!json.isObject()) {
                throw new MalformedMessageException(WHOLE, "message must be a JSON object");
            }
            return new PassageJson(json).event();
        } catch (MalformedMessageException e) {
            throw e;
        } catch (JacksonException e) {
            // Jackson's own message quotes the text, which may be anything.
            TokenStreamLocation place = e.getLocation();
            throw new MalformedMessageException(
                    WHOLE,
                    "message must be JSON but is malformed"
                            + (place == null ? "" : " at character " + place.getCharOffset()));
        } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
            // A time that no calendar has: values computed from it are out of range.
            throw new MalformedMessageException(WHOLE, String.valueOf(Errors.message(e)));
        }
    }

    private TimeHasPassed event() {
        String type = field("event", Function.identity(), "DayHasPassed");
        Instant now = instant("now");
        Instant previous = json.hasNonNull("previous") ? instant("previous") : null;
        Span span = new Span(instant("start"), instant("end"), field("zone", ZoneId::of, "Europe/Berlin"));
        return event(type, now, previous, span);
    }

    private TimeHasPassed event(String type, Instant now, @Nullable Instant previous, Span span) {
        return switch (type) {
            case "MinuteHasPassed" -> new MinuteHasPassed(now, previous, span, time());
            case "HourHasPassed" -> new HourHasPassed(now, previous, span, time());
            case "DayHasPassed" -> new DayHasPassed(now, previous, span, date("date"));
            case "WorkingDayHasPassed" -> new WorkingDayHasPassed(now, previous, span, date("date"));
            case "WeekHasPassed" -> new WeekHasPassed(now, previous, span, date("firstDate"));
            case "MonthHasPassed" -> new MonthHasPassed(now, previous, span, month("month"));
            case "QuarterHasPassed" ->
                new QuarterHasPassed(now, previous, span, number("quarter"), month("firstMonth"));
            case "YearHasPassed" -> new YearHasPassed(now, previous, span, month("firstMonth"));
            case "IntervalHasPassed" ->
                new IntervalHasPassed(now, previous, span, field("length", Duration::parse, "PT10M"));
            default ->
                throw new MalformedMessageException(
                        "event", "event must be WorkingDayHasPassed or one of " + PassedPeriods.TYPES);
        };
    }

    private Instant instant(String field) {
        return field(field, text -> OffsetDateTime.parse(text).toInstant(), "2026-11-20T23:00:00Z");
    }

    private OffsetDateTime time() {
        return field("time", OffsetDateTime::parse, "2026-11-20T23:00+01:00");
    }

    private LocalDate date(String field) {
        return field(field, LocalDate::parse, "2026-11-20");
    }

    private YearMonth month(String field) {
        return field(field, YearMonth::parse, "2026-11");
    }

    private int number(String field) {
        JsonNode value = json.path(field);
        if (!value.isIntegralNumber() || !value.canConvertToInt()) {
            throw new MalformedMessageException(field, field + " must be a whole number");
        }
        return value.intValue();
    }

    private <T> T field(String field, Function<String, T> read, String example) {
        JsonNode value = json.path(field);
        if (!value.isString()) {
            throw new MalformedMessageException(field, "%s must be a text such as %s".formatted(field, example));
        }
        try {
            return read.apply(value.stringValue());
        } catch (DateTimeException e) {
            throw new MalformedMessageException(field, "%s must be such as %s".formatted(field, example));
        }
    }
}
