package dev.duetime.examples.timerservice;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Rendering of URLs and messages of exceptions for the log, in one line and without passwords. */
final class Secrets {
    private static final int MOST_CAUSES = 10;
    /** From the two slashes to the last at sign, because a password may contain slashes and at signs. */
    private static final Pattern LOGIN = Pattern.compile("(?s)//.*@");

    /** Without slashes a name and a colon begin it. */
    private static final Pattern LOGIN_WITHOUT_SLASHES =
            Pattern.compile("(?s)^(?!.*//)[^:]+:.*@|[^\\s:/\"'=]+:(?:(?!//)\\S)*@");

    /** MariaDB's driver takes the password of {@code //user:password@host} for a port, up to a slash in it. */
    private static final Pattern PORT = Pattern.compile("(?i)(port value\\s*:\\s*)\\S+");

    private static final String NAME = "\\w*(?:password|passwd|passphrase|pwd|secret|token)\\w*\\s*=";
    /** A password may hold what separates the settings of other URLs. */
    private static final Pattern SETTING =
            Pattern.compile("(?i)([?&]" + NAME + ")[^&\n]*(?:&(?!\\w+=)[^&\n]*)*|((?<![?&\\w])" + NAME + ")[^;\n]*");

    /** Characters that break a line, or are invisible in it. */
    private static final Pattern ODD = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]+");

    private Secrets() {}

    /** Returns the text on one line and without passwords. */
    static String hidden(String text) {
        String named = SETTING.matcher(text)
                .replaceAll(found ->
                        Matcher.quoteReplacement((found.group(1) == null ? found.group(2) : found.group(1)) + "…"));
        String known = LOGIN.matcher(named).replaceAll("//…@");
        String shown = PORT.matcher(LOGIN_WITHOUT_SLASHES.matcher(known).replaceAll("…@"))
                .replaceAll("$1…");
        return ODD.matcher(shown).replaceAll(" ");
    }

    /** Returns the messages of an exception and its causes, each once, as {@link #hidden} shows them. */
    static String reasons(Throwable e) {
        List<String> reasons = new ArrayList<>();
        Throwable each = e;
        for (int i = 0; each != null && i < MOST_CAUSES; i++, each = each.getCause()) {
            String reason = hidden(String.valueOf(each.getMessage()));
            if (each.getMessage() != null && reasons.stream().noneMatch(known -> known.contains(reason))) {
                reasons.add(reason);
            }
        }
        return reasons.isEmpty() ? e.getClass().getName() : String.join(", caused by ", reasons);
    }
}
