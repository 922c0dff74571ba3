package dev.duetime.lab.benchmark.report;

import java.util.ArrayList;
import java.util.List;

/**
 * A logarithmic axis of a picture. It is divided into decades, because the contestants differ by factors of hundreds.
 *
 * @param least the smallest value that has a place of its own, a power of ten; what is less lies on the edge
 * @param greatest a power of ten
 * @param from where the least value is drawn
 * @param to where the greatest value is drawn
 */
record Axis(double least, double greatest, double from, double to) {

    static Axis of(double smallest, double largest, double from, double to) {
        double least = Math.pow(10, Math.floor(Math.log10(Math.max(smallest, 1e-3))));
        double greatest = Math.pow(10, Math.ceil(Math.log10(Math.max(largest, 1e-3))));
        return new Axis(least, Math.max(greatest, least * 10), from, to);
    }

    double at(double value) {
        double part = Math.log10(Math.max(value, least) / least) / Math.log10(greatest / least);
        return from + Math.min(1, part) * (to - from);
    }

    /** Returns the powers of ten. */
    List<Double> marks() {
        List<Double> marks = new ArrayList<>();
        for (double mark = least; mark <= greatest * 1.001; mark *= 10) {
            marks.add(mark);
        }
        return marks;
    }

    static String label(double mark) {
        return mark >= 1e6
                ? "%.0f M".formatted(mark / 1e6)
                : mark >= 1e3
                        ? "%.0f k".formatted(mark / 1e3)
                        : mark >= 1 ? "%.0f".formatted(mark) : Double.toString(Math.round(mark * 1e3) / 1e3);
    }
}
