package dev.duetime.internal;

/**
 * The order of texts by code points, as databases compare UTF-8. {@link String#compareTo} orders by UTF-16 units, which
 * is another order where there are characters beyond the first 65,536.
 */
public final class CodePointOrder {
    private CodePointOrder() {}

    /** Compares two texts by code points. */
    public static int compare(String one, String other) {
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
