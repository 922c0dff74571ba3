package dev.duetime.lab.chaos.node;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The libraries of the previous release, built from its commit in this repository. Its nodes run the program of today,
 * compiled against them. The libraries of others are those of today.
 */
public final class PreviousRelease {
    /** The previous release: a tag, or a commit while nothing has been released yet. */
    public static final String COMMIT = "b7750be0";

    private static final List<String> MODULES = List.of("timer-core", "timer-jdbc");
    private static final Path CHAOS = Path.of("lab", "chaos", "src", "main", "java");

    private PreviousRelease() {}

    /**
     * Builds the release below a directory, and the program of its nodes.
     *
     * @param commit a commit or tag
     * @return the class path for the nodes
     * @throws IllegalStateException if there is no such commit here, or it cannot be compiled
     */
    public static String classPath(String commit, Path below) throws IOException {
        Path classes = classes(commit, below, MODULES);
        Path directory = below.resolve("previous");
        Path repository = repository();
        String others = libraries();
        Path program = repository.resolve(CHAOS);
        compile(
                directory,
                classes,
                classes + File.pathSeparator + others + File.pathSeparator,
                List.of(
                        "-sourcepath",
                        program.toString(),
                        program.resolve("dev/duetime/lab/chaos/node/NodeMain.java")
                                .toString()));
        return classes + File.pathSeparator + others;
    }

    /**
     * Builds modules of the release below a directory. The libraries of others are on the class path of this program.
     *
     * @param commit a commit or tag
     * @return the folder of the classes of all modules
     * @throws IllegalStateException if there is no such commit here, or it cannot be compiled
     */
    public static Path classes(String commit, Path below, List<String> modules) throws IOException {
        Path repository = repository();
        Path directory = Files.createDirectories(below.resolve("previous"));
        Path classes = Files.createDirectories(directory.resolve("classes"));
        Path packed = directory.resolve("sources.tar");
        List<String> archive = new ArrayList<>(List.of("git", "-C", repository.toString(), "archive"));
        archive.addAll(List.of("--output=" + packed, commit));
        modules.forEach(module -> archive.add(module + "/src/main"));
        run(directory, archive);
        run(directory, List.of("tar", "-xf", packed.toString(), "-C", directory.toString()));
        List<String> sources = new ArrayList<>();
        for (String module : modules) {
            Path main = directory.resolve(module).resolve("src/main");
            sources.addAll(sources(main.resolve("java")));
            Path resources = main.resolve("resources");
            if (Files.isDirectory(resources)) {
                run(directory, List.of("cp", "-r", resources + "/.", classes.toString()));
            }
        }
        compile(directory, classes, libraries(), sources);
        return classes;
    }

    private static Path repository() {
        Path here = Path.of("").toAbsolutePath();
        while (here != null && !Files.exists(here.resolve(".git"))) {
            here = here.getParent();
        }
        if (here == null) {
            throw new IllegalStateException("the previous release is built from git, but this is no git repository");
        }
        return here;
    }

    private static List<String> sources(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.map(Path::toString)
                    .filter(file -> file.endsWith(".java") && !file.endsWith("module-info.java"))
                    .toList();
        }
    }

    /** Returns the jars of others on the class path, or beside this program's jar. */
    private static String libraries() throws IOException {
        List<Path> jars = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path jar = Path.of(entry).toAbsolutePath();
            Path lib = jar.resolveSibling("lib");
            if (entry.endsWith("chaos.jar") && Files.isDirectory(lib)) {
                try (Stream<Path> beside = Files.list(lib)) {
                    beside.forEach(jars::add);
                }
            } else if (entry.endsWith(".jar")) {
                jars.add(jar);
            }
        }
        return jars.stream()
                .filter(jar -> !String.valueOf(jar.getFileName()).matches("(timer-|duetime-|chaos).*"))
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static void compile(Path directory, Path classes, String classPath, List<String> what) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("-proc:none", "-nowarn", "-parameters", "-implicit:class"));
        arguments.addAll(List.of("-d", classes.toString(), "-cp", classPath));
        arguments.addAll(what);
        Path file = directory.resolve("javac.arguments");
        Files.write(file, arguments, StandardCharsets.UTF_8);
        String javac = Path.of(System.getProperty("java.home"), "bin", "javac").toString();
        run(directory, List.of(javac, "@" + file));
    }

    private static void run(Path directory, List<String> command) throws IOException {
        Path output = directory.resolve("build.out");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            if (process.waitFor() != 0) {
                throw new IllegalStateException("the previous release could not be built: " + String.join(" ", command)
                        + ": " + Files.readString(output));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
