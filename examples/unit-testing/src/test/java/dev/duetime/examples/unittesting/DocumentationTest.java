package dev.duetime.examples.unittesting;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Keeps the documentation true: every block of Java in it stands, line by line, in a test that passes. */
class DocumentationTest {
    private static final Path ROOT = Path.of("../..");
    private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    @Test
    void everyBlockOfJavaInTheDocumentationIsARegionOfATest() throws IOException {
        List<String> tests = new ArrayList<>();
        for (Path test : files(ROOT, ".java")) {
            if (test.toString().contains("src/test/java")) {
                tests.add(unindented(Files.readString(test)));
            }
        }
        List<String> blocks = new ArrayList<>();
        for (Path page : files(ROOT, ".md")) {
            JAVA.matcher(Files.readString(page)).results().forEach(block -> blocks.add(unindented(block.group(1))));
        }

        assertThat(blocks).hasSizeGreaterThanOrEqualTo(3).allSatisfy(block -> assertThat(tests)
                .anySatisfy(test -> assertThat(test).contains(block)));
    }

    private static List<Path> files(Path folder, String ending) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            return paths.filter(path -> path.toString().endsWith(ending))
                    .filter(path -> !path.toString().contains("/target/"))
                    .toList();
        }
    }

    private static String unindented(String text) {
        return text.lines().map(String::strip).filter(line -> !line.isEmpty()).collect(Collectors.joining("\n", "", "\n"));
    }
}
