package dev.duetime;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.duetime.internal.Errors;
import dev.duetime.store.CollisionException;
import dev.duetime.store.Transaction;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.duetime");

    @Test
    void theCoreKnowsNoJdbc() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.sql..", "javax.sql..")
                .check(CORE);
    }

    /** An exception of the user's may throw from each of its methods, or return null. */
    @Test
    void onlyErrorsReadsExceptions() {
        Set<String> readers = Set.of(
                "getMessage",
                "getLocalizedMessage",
                "getCause",
                "getStackTrace",
                "getSuppressed",
                "printStackTrace",
                "toString");
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName(Errors.class.getName())
                .should()
                .callMethodWhere(DescribedPredicate.describe(
                        "a method of an exception",
                        call -> readers.contains(call.getName())
                                && call.getTargetOwner().isAssignableTo(Throwable.class)))
                .check(CORE);
    }

    @Test
    void whatMayStillChangeIsMarked() {
        Set<String> packages = Set.of("dev.duetime.store", "dev.duetime.hosts", "dev.duetime.todo");
        Set<String> metByEveryUser = Set.of(Transaction.class.getName(), CollisionException.class.getName());
        List<JavaClass> types = CORE.stream()
                .filter(type -> packages.contains(type.getPackageName()))
                .filter(type -> type.isTopLevelClass() && type.getModifiers().contains(JavaModifier.PUBLIC))
                .toList();
        assertThat(types)
                .isNotEmpty()
                .allSatisfy(type -> assertThat(type.isAnnotatedWith(Beta.class))
                        .as("%s is marked", type.getName())
                        .isEqualTo(!metByEveryUser.contains(type.getName())));
    }
}
