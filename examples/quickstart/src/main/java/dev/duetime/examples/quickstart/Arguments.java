package dev.duetime.examples.quickstart;

import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The arguments of the program.
 *
 * @param input a path, {@code -} for standard input, or empty for the sample
 * @param fresh whether to forget earlier runs
 */
record Arguments(String input, boolean fresh) {
    private static final String SAMPLE = "/sample-commands.jsonl";

    static Arguments parse(String[] args) {
        String input = "";
        boolean fresh = false;
        for (String arg : args) {
            if (arg.equals("--fresh")) {
                fresh = true;
            } else {
                input = arg;
            }
        }
        return new Arguments(input, fresh);
    }

    boolean isSample() {
        return input.isEmpty();
    }

    BufferedReader open() throws IOException {
        if (input.equals("-")) {
            return reader(System.in);
        }
        if (!isSample()) {
            return Files.newBufferedReader(Path.of(input));
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
