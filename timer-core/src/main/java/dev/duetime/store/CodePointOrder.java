package dev.duetime.store;

import dev.duetime.TimerKey;
import java.util.Comparator;

/**
 * Orders keys as {@link ScheduleStore#query} does: by code points, as databases compare UTF-8. {@link TimerKey#compareTo} orders
 * by UTF-16 units, which is another order where there are characters beyond the first 65,536.
 */
public final class CodePointOrder {
    /** By tenant, then by id, then by scope. Thread-safe. */
    public static final Comparator<TimerKey> OF_KEYS = Comparator.comparing(TimerKey::tenantId, CodePointOrder::compare)
            .thenComparing(TimerKey::timerId, CodePointOrder::compare)
            .thenComparing(TimerKey::scope, CodePointOrder::compare);

    private CodePointOrder() {}

    private static int compare(String one, String other) {
        int shorter = Math.min(one.length(), other.length());
        for (int i = 0; i < shorter; i++) {
            char a = one.charAt(i);
            char b = other.charAt(i);
            if (a != b) {
                // Two units of pairs are in order; a pair comes after all that is none.
                boolean beyond = Character.isSurrogate(a);
                return beyond == Character.isSurrogate(b) ? Character.compare(a, b) : beyond ? 1 : -1;
            }
        }
        return Integer.compare(one.length(), other.length());
    }
}
