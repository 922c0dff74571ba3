package dev.duetime.spring;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** What is written to the standard output until it is closed. Spring Boot's own capture needs JUnit 6. */
final class Output implements AutoCloseable {
    private final PrintStream before = System.out;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    Output() {
        System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    }

    /** Returns all that has been written. */
    @Override
    public String toString() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        System.setOut(before);
    }
}
