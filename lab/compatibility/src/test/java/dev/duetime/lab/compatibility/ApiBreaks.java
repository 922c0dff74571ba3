package dev.duetime.lab.compatibility;

import japicmp.cmp.JApiCmpArchive;
import japicmp.cmp.JarArchiveComparator;
import japicmp.cmp.JarArchiveComparatorOptions;
import japicmp.model.AccessModifier;
import japicmp.model.JApiAnnotation;
import japicmp.model.JApiBehavior;
import japicmp.model.JApiChangeStatus;
import japicmp.model.JApiClass;
import japicmp.model.JApiCompatibility;
import japicmp.model.JApiCompatibilityChangeType;
import japicmp.model.JApiField;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The changes of the API because of which a program of a user would no longer compile, or no longer run. UPGRADING.md
 * says what is API. What has {@code @Beta} is not.
 */
final class ApiBreaks {
    private static final Pattern SPI = Pattern.compile("dev\\.duetime\\.(store|(.*\\.)?(internal|engine)(\\..*)?"
            + "|testkit\\.(contract|fault|memory|simulation)(\\..*)?)");
    /** Interfaces that only Duetime implements: a new method breaks no program. */
    private static final Set<String> OURS =
            Set.of("dev.duetime.Timers", "dev.duetime.admin.TimerAdmin", "dev.duetime.admin.TimerViews");

    private static final String BETA = "dev.duetime.Beta";

    private ApiBreaks() {}

    /** Returns the breaks between two folders of classes, one line each, such as {@code a.Type#method(int): CHANGE}. */
    static Set<String> between(Path former, Path latter, Path work) throws IOException {
        JarArchiveComparatorOptions options = new JarArchiveComparatorOptions();
        options.setAccessModifier(AccessModifier.PROTECTED);
        options.getIgnoreMissingClasses().setIgnoreAllMissingClasses(true);
        JApiCmpArchive old = archive(former, work.resolve("old.jar"));
        JApiCmpArchive now = archive(latter, work.resolve("new.jar"));
        Set<String> breaks = new TreeSet<>();
        for (JApiClass type : new JarArchiveComparator(options).compare(old, now)) {
            if (isSpi(type)) {
                continue;
            }
            if (type.getChangeStatus() == JApiChangeStatus.REMOVED) {
                breaks.add(type.getFullyQualifiedName() + ": " + JApiCompatibilityChangeType.CLASS_REMOVED);
            } else {
                String name = type.getFullyQualifiedName();
                add(name, type, breaks);
                add(name, type.getSuperclass(), breaks);
                type.getInterfaces().forEach(each -> add(name, each, breaks));
                Stream.<JApiBehavior>concat(type.getMethods().stream(), type.getConstructors().stream())
                        .filter(each -> !isBeta(each.getAnnotations()))
                        .forEach(each -> add(name + "#" + signature(each), each, breaks));
                for (JApiField field : type.getFields()) {
                    add(name + "#" + field.getName(), field, breaks);
                }
            }
        }
        return breaks;
    }

    private static boolean isSpi(JApiClass type) {
        String name = type.getFullyQualifiedName();
        return SPI.matcher(name.substring(0, name.lastIndexOf('.'))).matches() || isBeta(type.getAnnotations());
    }

    private static boolean isBeta(List<JApiAnnotation> annotations) {
        return annotations.stream()
                .anyMatch(each -> each.getFullyQualifiedName().equals(BETA));
    }

    private static String signature(JApiBehavior method) {
        return method.getName()
                + method.getParameters().stream()
                        .map(each -> each.getType().substring(each.getType().lastIndexOf('.') + 1))
                        .collect(Collectors.joining(", ", "(", ")"));
    }

    private static void add(String what, JApiCompatibility element, Set<String> breaks) {
        element.getCompatibilityChanges().stream()
                .filter(change -> !change.isBinaryCompatible() || !change.isSourceCompatible())
                .filter(change -> change.getType() != JApiCompatibilityChangeType.METHOD_ADDED_TO_INTERFACE
                        || !OURS.contains(what.substring(0, Math.max(0, what.indexOf('#')))))
                .forEach(change -> breaks.add(what + ": " + change.getType()));
    }

    private static JApiCmpArchive archive(Path classes, Path jar) throws IOException {
        try (Stream<Path> found = Files.walk(classes);
                ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
            for (Path file :
                    found.filter(each -> each.toString().endsWith(".class")).toList()) {
                out.putNextEntry(
                        new ZipEntry(classes.relativize(file).toString().replace(File.separatorChar, '/')));
                Files.copy(file, out);
                out.closeEntry();
            }
        }
        return new JApiCmpArchive(jar.toFile(), jar.getFileName().toString());
    }
}
