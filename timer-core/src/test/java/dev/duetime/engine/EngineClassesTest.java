package dev.duetime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class EngineClassesTest {

    /** If this fails, bring timer-core/src/main/resources/dev/duetime/engine/classes.txt up to date. */
    @Test
    void everyClassWithSomethingToInitializeIsListed() {
        assertThat(new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("dev.duetime").stream()
                                .filter(each -> each.getStaticInitializer().isPresent() && !each.isAnonymousClass())
                                .filter(each -> !each.getName().matches(".*\\$[0-9]+"))
                                .map(JavaClass::getName))
                .containsExactlyInAnyOrderElementsOf(EngineClasses.names(EngineClasses.OURS));
    }
}
