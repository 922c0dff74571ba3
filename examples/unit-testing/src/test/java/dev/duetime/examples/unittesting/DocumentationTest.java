package dev.duetime.examples.unittesting;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A test that keeps the documentation true. Every block of Java in it is, word by word, part of a test that passes or
 * of an example that tests run.
 */
class DocumentationTest {
    private static final Path ROOT = Path.of("../..");
    private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    @Test
    void everyBlockOfJavaInTheDocumentationIsARegionOfATestOrAnExample() throws IOException {
        List<String> tests = new ArrayList<>();
        for (Path test : files(ROOT, ".java")) {
            if (test.toString().contains("src/test/java") || test.startsWith(ROOT.resolve("examples"))) {
                tests.add(compact(Files.readString(test)));
            }
        }
        List<String> blocks = new ArrayList<>();
        List<String> invented = new ArrayList<>();
        for (Path page : files(ROOT, ".md")) {
            JAVA.matcher(Files.readString(page))
                    .results()
                    .map(each -> each.group(1))
                    .forEach(block -> {
                        blocks.add(block);
                        if (tests.stream().noneMatch(test -> test.contains(compact(block)))) {
                            invented.add(page + ":\n" + block);
                        }
                    });
        }

        assertThat(blocks).hasSizeGreaterThanOrEqualTo(3);
        assertThat(invented).isEmpty();
    }

    private static List<Path> files(Path folder, String ending) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            return paths.filter(path -> path.toString().endsWith(ending))
                    .filter(path -> !path.toString().contains("/target/"))
                    .toList();
        }
    }

    /** Removes white space, because lines of the documentation are shorter. */
    private static String compact(String text) {
        return text.replaceAll("\\s+", "");
    }
}
