package dev.duetime.console.internal.html;

/** The one place where texts become part of HTML. */
final class Escape {

    private Escape() {}

    /**
     * Appends a text so that it is shown and never interpreted. Characters that cannot be seen, or that change the
     * direction of the text around them, are shown as their number.
     */
    static void append(StringBuilder page, String text) {
        text.codePoints().forEach(point -> {
            switch (point) {
                case '&' -> page.append("&amp;");
                case '<' -> page.append("&lt;");
                case '>' -> page.append("&gt;");
                case '"' -> page.append("&quot;");
                case '\'' -> page.append("&#39;");
                case '\n', '\t' -> page.append((char) point);
                default -> {
                    if (isHidden(point)) {
                        page.append("\\u").append(String.format("%04x", point));
                    } else {
                        page.appendCodePoint(point);
                    }
                }
            }
        });
    }

    /**
     * Appends the value of a field, which comes back with its form. So no character may become another one, and those
     * that cannot be seen are references.
     */
    static void appendExactly(StringBuilder page, String value) {
        value.codePoints().forEach(point -> {
            if (isHidden(point) && !Character.isISOControl(point) && Character.getType(point) != Character.SURROGATE) {
                page.append("&#x").append(Integer.toHexString(point)).append(';');
            } else {
                append(page, Character.toString(point));
            }
        });
    }

    private static boolean isHidden(int point) {
        int type = Character.getType(point);
        return Character.isISOControl(point)
                || type == Character.FORMAT
                || type == Character.SURROGATE
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR
                || type == Character.UNASSIGNED;
    }
}
