package dev.duetime.lab.chaos.judge;

/**
 * A line of the verdict.
 *
 * @param what is measured
 * @param measured the value, as text
 * @param bound its bound, as text
 * @param holds whether the value is within the bound
 */
public record Claim(String what, String measured, String bound, boolean holds) {

    public static Claim none(String what, int count) {
        return new Claim(what, String.valueOf(count), "0", count == 0);
    }

    /** Returns the line as it is printed. */
    public String line() {
        return "%-4s  %-70s %14s  (%s)".formatted(holds ? "ok" : "NOT", what, measured, bound);
    }

    public static Claim atMost(String what, long measured, long bound, String unit) {
        return new Claim(
                what,
                "%d %s".formatted(measured, unit).strip(),
                "at most %d %s".formatted(bound, unit).strip(),
                measured <= bound);
    }
}
