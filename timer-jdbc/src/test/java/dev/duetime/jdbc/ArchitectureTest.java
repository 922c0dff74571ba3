package dev.duetime.jdbc;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.duetime.SystemClock;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Date;
import org.junit.jupiter.api.Test;

/** The rules for all modules together: core, testkit and this one. */
class ArchitectureTest {
    private static final JavaClasses LIBRARY = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.duetime");

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
                .areAssignableTo(Clock.class)
                .check(LIBRARY);
    }

    @Test
    void nothingSleeps() {
        noClasses().should().callMethod(Thread.class, "sleep", long.class).check(LIBRARY);
    }

    @Test
    void adaptersKnowThePortAndNotTheEngine() {
        noClasses()
                .that()
                .resideInAnyPackage("dev.duetime.jdbc..", "dev.duetime.testkit..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.duetime.engine..")
                .check(LIBRARY);
    }
}
