package dev.duetime.lab.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A check of what is released: every module is in the BOM, is described, and has the licence in its jar. */
class ReleaseTest {
    private static final Path ROOT = Path.of("..", "..");
    private static final Path BOM = ROOT.resolve("duetime-bom/pom.xml");
    private static final Path PARENT = ROOT.resolve("pom.xml");
    private static final Pattern MODULE = Pattern.compile("<module>(timer-[\\w-]+)</module>");
    private static final Pattern MANAGED =
            Pattern.compile("<groupId>dev\\.duetime</groupId>\\s*<artifactId>(timer-[\\w-]+)</artifactId>");

    private static List<String> found(Pattern pattern, Path file) throws IOException {
        return pattern.matcher(Files.readString(file))
                .results()
                .map(ReleaseTest::firstGroup)
                .sorted()
                .toList();
    }

    private static String firstGroup(MatchResult match) {
        return match.group(1);
    }

    private static List<String> released() throws IOException {
        return found(MODULE, PARENT);
    }

    @Test
    void theBomListsEveryModuleThatIsReleased() throws IOException {
        assertThat(released()).isNotEmpty();
        assertThat(found(MANAGED, BOM)).isEqualTo(released());
        assertThat(found(MANAGED, PARENT)).isEqualTo(released());
    }

    @Test
    void theBomManagesNothingElse() throws IOException {
        String dependencies = Files.readString(BOM);

        assertThat(dependencies).doesNotContain("<parent>");
        assertThat(found(Pattern.compile("(?s)<dependency>\\s*<groupId>([^<]*)<"), BOM))
                .containsOnly("dev.duetime")
                .hasSameSizeAs(released());
    }

    @Test
    void theBomAndTheParentAgree() throws IOException {
        for (String setting : List.of(
                "duetime.home", "maven-enforcer.version", "maven-gpg.version", "project.build.outputTimestamp")) {
            Pattern value = Pattern.compile("<" + setting + ">([^<]*)</");

            assertThat(found(value, BOM)).as(setting).hasSize(1).isEqualTo(found(value, PARENT));
        }
        Pattern version = Pattern.compile("(?s)</modelVersion>.*?<version>([^<]*)</version>\\s*<packaging>pom");
        assertThat(found(version, BOM)).hasSize(1).isEqualTo(found(version, PARENT));
    }

    @Test
    void noReleaseIsMadeWithoutTheAddressOfTheProject() throws IOException {
        for (Path pom : List.of(BOM, PARENT)) {
            String profile = Files.readString(pom).split("<id>release</id>", 2)[1];
            List<Pattern> rules = Pattern.compile("(?s)<property>duetime\\.home</property>\\s*<regex>(.*?)</regex>")
                    .matcher(profile)
                    .results()
                    .map(match -> Pattern.compile(match.group(1)))
                    .toList();

            assertThat(rules).as("rules for duetime.home in %s", pom).hasSize(1);
            assertThat(rules.get(0).asMatchPredicate())
                    .accepts("https://localhost/duetime")
                    .rejects("", "https://duetime.example/duetime", "https://duetime.example", "duetime");
        }
    }

    /** The address is a placeholder until the first release, so only poms may have it. */
    @Test
    void noPageAndNoFormLinksToThePlaceholder() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            assertThat(files.filter(file -> file.toString().matches(".*\\.(md|yml|json|html|svg)"))
                            .filter(file -> !file.toString().matches(".*/(target|\\.git|node_modules)/.*")))
                    .isNotEmpty()
                    .allSatisfy(file -> assertThat(file).content().doesNotContain("://duetime.example"));
        }
    }

    @Test
    void everyPomThatIsReleasedIsComplete() throws IOException {
        for (Path pom : List.of(BOM, PARENT)) {
            assertThat(Files.readString(pom))
                    .contains("<url>", "<licenses>", "<developers>", "<scm", "<issueManagement>");
        }
        for (String module : released()) {
            assertThat(Files.readString(ROOT.resolve(module).resolve("pom.xml")))
                    .contains("<name>", "<description>")
                    .doesNotContain("maven.deploy.skip");
        }
        for (String folder : List.of("examples", "lab")) {
            assertThat(Files.readString(ROOT.resolve(folder).resolve("pom.xml")))
                    .contains("<maven.deploy.skip>true<", "<gpg.skip>true<");
        }
    }

    @Test
    void everyJarHasTheLicence() throws IOException {
        for (String module : released()) {
            for (String file : List.of("LICENSE", "NOTICE")) {
                assertThat(ROOT.resolve(module)
                                .resolve("target/classes/META-INF")
                                .resolve(file))
                        .hasSameTextualContentAs(ROOT.resolve(file));
            }
        }
    }
}
