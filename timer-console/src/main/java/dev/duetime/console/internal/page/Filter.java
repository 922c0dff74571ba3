package dev.duetime.console.internal.page;

import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.console.internal.html.Html;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The conditions of a list of timers, as they stand in an address. */
public final class Filter {
    /** How many timers a page shows. */
    public static final int PAGE = 50;

    /** The parameters that are conditions, as forms and addresses name them. */
    static final String[] NAMES = {
        "state", "queue", "tenant", "type", "prefix", "correlation", "parallel", "error", "from", "before"
    };

    /** The parameters that name the order of a list, and where a page of it begins. */
    private static final String[] PLACE = {"order", "wake", "after"};

    private static final String BACK = "back";
    private static final String LIST = "list";

    private Filter() {}

    /**
     * Returns the query that the parameters ask for, inside the fence of the sender.
     *
     * @throws IllegalArgumentException if a parameter cannot be read, or names a hidden tenant
     */
    public static TimerQuery of(View view) {
        TimerQuery query = TimerQuery.all().limit(PAGE);
        String tenant = view.parameter("tenant");
        if (tenant == null) {
            tenant = view.grant().firstTenant();
        }
        if (view.grant().tenants() != null && (tenant == null || view.grant().hides(tenant))) {
            throw new IllegalArgumentException("tenant must be one that you may see");
        }
        String state = view.parameter("state");
        query = state == null ? query : query.state(state(state));
        query = tenant == null ? query : query.tenantId(tenant);
        query = apply(query, view.parameter("queue"), TimerQuery::queue);
        query = apply(query, view.parameter("type"), TimerQuery::type);
        query = apply(query, view.parameter("prefix"), TimerQuery::idPrefix);
        query = apply(query, view.parameter("correlation"), TimerQuery::correlationId);
        query = apply(query, view.parameter("parallel"), TimerQuery::parallelKey);
        query = apply(query, view.parameter("error"), TimerQuery::errorClass);
        String from = view.parameter("from");
        String before = view.parameter("before");
        return from == null && before == null
                ? query
                : query.due(from == null ? Instant.EPOCH : instant(from), before == null ? FAR : instant(before));
    }

    private static TimerState state(String word) {
        return Arrays.stream(TimerState.values())
                .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(word))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("state must be scheduled, reached, expired, dead or cancelled"));
    }

    private static final Instant FAR = Instant.parse("9999-12-31T00:00:00Z");

    @FunctionalInterface
    private interface Condition {
        TimerQuery on(TimerQuery query, String value);
    }

    private static TimerQuery apply(TimerQuery query, @Nullable String value, Condition condition) {
        return value == null ? query : condition.on(query, value);
    }

    /**
     * Returns the due time to which the sender moves timers: a time in UTC.
     *
     * @throws IllegalArgumentException if there is none, or it cannot be read
     */
    public static Instant to(View view) {
        String to = view.parameter("to");
        if (to == null) {
            throw new IllegalArgumentException("the new due time must be given");
        }
        return instant(to);
    }

    /** Reads an instant, or a local time or a date in UTC. */
    private static Instant instant(String text) {
        try {
            if (text.endsWith("Z")) {
                return Instant.parse(text);
            }
            return text.contains("T")
                    ? LocalDateTime.parse(text).toInstant(ZoneOffset.UTC)
                    : LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("time must be like 2030-01-31 or 2030-01-31T12:00 or …Z", e);
        }
    }

    /** Returns the key after which the page begins; null for the first page. */
    static @Nullable TimerKey after(View view) {
        String after = view.parameter("after");
        return after == null ? null : View.decode(after);
    }

    /** Returns the address of the list that the request names, as hidden fields of a form that leads back to it. */
    static List<Html> fields(View view) {
        List<Html> fields = new ArrayList<>();
        fields.add(Layout.hidden(BACK, LIST));
        for (String name : NAMES) {
            fields.add(Layout.hidden(name, view.parameter(name)));
        }
        for (String name : PLACE) {
            fields.add(Layout.hidden(name, view.parameter(name)));
        }
        return fields;
    }

    /** Returns whether a form came from a list, not from the page of a timer. */
    public static boolean isOfList(View view) {
        return LIST.equals(view.parameter(BACK));
    }

    /** Returns the address of the list that a form came from. */
    public static String list(View view, String done) {
        List<@Nullable Object> more = new ArrayList<>();
        for (String name : PLACE) {
            more.add(name);
            more.add(view.parameter(name));
        }
        more.add("done");
        more.add(done);
        return view.links().to("/timers", conditions(view, more.toArray()));
    }

    /** Returns the conditions of the request as names and values in turn, for {@link Links#to}. */
    static @Nullable Object[] conditions(View view, @Nullable Object... more) {
        @Nullable Object[] all = new @Nullable Object[NAMES.length * 2 + more.length];
        for (int i = 0; i < NAMES.length; i++) {
            all[2 * i] = NAMES[i];
            all[2 * i + 1] = view.parameter(NAMES[i]);
        }
        System.arraycopy(more, 0, all, NAMES.length * 2, more.length);
        return all;
    }
}
