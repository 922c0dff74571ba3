package dev.duetime;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.duetime");

    /** The scheduler and its builders put everything together; all else in their package is vocabulary. */
    private static final Set<String> FACE = Set.of(
            "dev.duetime.Scheduler",
            "dev.duetime.SchedulerBuilder",
            "dev.duetime.SchedulerExtension",
            "dev.duetime.QueueBuilder",
            "dev.duetime.TimerAdmin");

    @Test
    void arrowsPointFromThePatternsOverSchedulerEngineAndPortToTheVocabulary() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("dev.duetime..")
                .layer("patterns")
                .definedBy("dev.duetime.passage..", "dev.duetime.todo..")
                .layer("scheduler")
                .definedBy(face())
                .layer("engine")
                .definedBy("dev.duetime.engine..")
                .layer("store port")
                .definedBy("dev.duetime.store..")
                .layer("vocabulary")
                .definedBy(resideInAPackage("dev.duetime").and(DescribedPredicate.not(face())))
                .whereLayer("patterns")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("scheduler")
                .mayOnlyBeAccessedByLayers("patterns")
                .whereLayer("engine")
                .mayOnlyBeAccessedByLayers("scheduler")
                .whereLayer("store port")
                .mayOnlyBeAccessedByLayers("patterns", "scheduler", "engine")
                .check(CORE);
    }

    @Test
    void onlyTheSystemClockReadsWallTime() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName(SystemClock.class.getName())
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(LocalDate.class, "now")
                .orShould()
                .callMethod(LocalDateTime.class, "now")
                .orShould()
                .callMethod(OffsetDateTime.class, "now")
                .orShould()
                .callMethod(ZonedDateTime.class, "now")
                .orShould()
                .callConstructor(Date.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(java.time.Clock.class)
                .check(CORE);
    }

    @Test
    void nothingSleeps() {
        noClasses().should().callMethod(Thread.class, "sleep", long.class).check(CORE);
    }

    @Test
    void theCoreKnowsNoJdbc() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.sql..", "javax.sql..")
                .check(CORE);
    }

    private static DescribedPredicate<JavaClass> face() {
        return describe(
                "the scheduler and its builders",
                each -> FACE.stream()
                        .anyMatch(name ->
                                each.getName().equals(name) || each.getName().startsWith(name + "$")));
    }
}
