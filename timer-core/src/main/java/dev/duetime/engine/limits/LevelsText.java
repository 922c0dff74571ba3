package dev.duetime.engine.limits;

import dev.duetime.internal.Micros;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The text of {@link TenantLevels} in a ledger. It consists of words of ASCII characters with one space between them:
 *
 * <ul>
 *   <li>{@code 1}, the version of this format
 *   <li>the version of the ledger to which it belongs
 *   <li>the microseconds of unknown tenants
 *   <li>for each other tenant its microseconds, an equals sign, and the tenant
 * </ul>
 *
 * <p>Letters, digits, full stops, underscores and hyphens of a tenant are written as they are. Each other UTF-16 unit
 * is a percent sign and four hexadecimal digits.
 */
final class LevelsText {
    private static final String FORMAT = "1";
    private static final int WORDS_BEFORE = 3;

    /** The sign of a number, its digits, an equals sign and a space. */
    private static final int MOST_AROUND = 22;

    private static final int ESCAPED = 5;
    private static final int HEX = 16;

    /** A text that is longer was not written by this class. */
    private static final int LONGEST = TenantLevels.MOST_CHARACTERS + 100;

    private LevelsText() {}

    /** Returns how many characters a tenant needs at most. */
    static int length(String tenant) {
        int length = MOST_AROUND;
        for (int i = 0; i < tenant.length(); i++) {
            length += isPlain(tenant.charAt(i)) ? 1 : ESCAPED;
        }
        return length;
    }

    /**
     * Returns the text.
     *
     * @param version the version of the ledger once the text is written
     */
    static String write(TenantLevels levels, long version) {
        StringBuilder text = new StringBuilder(FORMAT)
                .append(' ')
                .append(version)
                .append(' ')
                .append(Micros.toLong(levels.since()));
        levels.byTenant().forEach((tenant, since) -> {
            text.append(' ').append(Micros.toLong(since)).append('=');
            for (int i = 0; i < tenant.length(); i++) {
                char each = tenant.charAt(i);
                if (isPlain(each)) {
                    text.append(each);
                } else {
                    text.append("%%%04x".formatted((int) each));
                }
            }
        });
        return text.toString();
    }

    /**
     * Returns the levels of a text; null if it belongs to another version of the ledger, or cannot be read. Nodes of
     * earlier versions change the ledger, and leave the text as it is.
     */
    static @Nullable TenantLevels read(@Nullable String text, long version) {
        if (text == null || text.length() > LONGEST) {
            return null;
        }
        String[] words = text.split(" ", -1);
        if (words.length < WORDS_BEFORE
                || words.length > WORDS_BEFORE + TenantLevels.MOST_TENANTS
                || !words[0].equals(FORMAT)
                || !words[1].equals(Long.toString(version))) {
            return null;
        }
        try {
            Map<String, Instant> byTenant = new HashMap<>();
            for (int i = WORDS_BEFORE; i < words.length; i++) {
                int end = words[i].indexOf('=');
                String tenant = end < 0 ? null : tenant(words[i].substring(end + 1));
                if (tenant == null || byTenant.put(tenant, instant(words[i].substring(0, end))) != null) {
                    return null;
                }
            }
            return TenantLevels.of(instant(words[2]), byTenant);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static Instant instant(String micros) {
        return Micros.ofLong(Long.parseLong(micros));
    }

    private static @Nullable String tenant(String escaped) {
        StringBuilder tenant = new StringBuilder();
        for (int i = 0; i < escaped.length(); i++) {
            char each = escaped.charAt(i);
            if (each == '%' && i + ESCAPED <= escaped.length()) {
                tenant.append((char) Integer.parseInt(escaped, i + 1, i + ESCAPED, HEX));
                i += ESCAPED - 1;
            } else if (isPlain(each)) {
                tenant.append(each);
            } else {
                return null;
            }
        }
        return tenant.toString();
    }

    private static boolean isPlain(char each) {
        return (each >= 'a' && each <= 'z')
                || (each >= 'A' && each <= 'Z')
                || (each >= '0' && each <= '9')
                || each == '.'
                || each == '_'
                || each == '-';
    }
}
