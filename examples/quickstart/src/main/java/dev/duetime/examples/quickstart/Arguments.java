package dev.duetime.examples.quickstart;

import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * The arguments of the program.
 *
 * @param input a path, {@code -} for standard input, or empty for the sample
 * @param fresh whether to forget earlier runs
 * @param console whether to serve the console as long as the program runs
 */
record Arguments(String input, boolean fresh, boolean console) {
    private static final String SAMPLE = "/sample-commands.jsonl";

    static Arguments parse(String[] args) {
        String input = "";
        boolean fresh = false;
        boolean console = false;
        for (String arg : args) {
            if (arg.equals("--fresh")) {
                fresh = true;
            } else if (arg.equals("--console")) {
                console = true;
            } else {
                input = arg;
            }
        }
        return new Arguments(input, fresh, console);
    }

    boolean isSample() {
        return input.isEmpty();
    }

    /** Returns whether the input can be opened. */
    boolean isReadable() {
        return isSample() || input.equals("-") || isReadableFile(input);
    }

    private static boolean isReadableFile(String path) {
        try {
            return Files.isReadable(Path.of(path)) && !Files.isDirectory(Path.of(path));
        } catch (InvalidPathException e) {
            return false;
        }
    }

    BufferedReader open() throws IOException {
        if (input.equals("-")) {
            return reader(System.in);
        }
        if (!isSample()) {
            return reader(Files.newInputStream(Path.of(input)));
        }
        InputStream sample = Arguments.class.getResourceAsStream(SAMPLE);
        if (sample == null) {
            throw new FileNotFoundException(SAMPLE);
        }
        return reader(sample);
    }

    private static BufferedReader reader(InputStream stream) {
        return new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
    }
}
