package dev.duetime.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedMethod;
import static org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder.request;

import dev.duetime.store.ScheduleStore;
import dev.duetime.testkit.contract.BrokenStoreContract;
import dev.duetime.testkit.contract.ScheduleStoreContract;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherFactory;

public class ScheduleStoreContractBitesTest {

    @AfterEach
    void mend() {
        BrokenStoreContract.breakBy(intact -> intact);
    }

    @ParameterizedTest
    @MethodSource("dev.duetime.testkit.BrokenStore#all")
    void aBrokenStoreFailsTheContract(BrokenStore broken) {
        for (String sentence : broken.noticedBy()) {
            assertThat(run(sentence, broken.breaking()))
                    .as(sentence)
                    .containsExactly(TestExecutionResult.Status.FAILED);
            assertThat(run(sentence, PassThroughStore::new))
                    .as(sentence)
                    .containsExactly(TestExecutionResult.Status.SUCCESSFUL);
        }
    }

    private static List<TestExecutionResult.Status> run(
            String sentence, Function<InMemoryScheduleStore, ScheduleStore> breaking) {
        BrokenStoreContract.breakBy(breaking);
        List<TestExecutionResult.Status> statuses = new ArrayList<>();
        TestExecutionListener collector = new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (test.isTest()) {
                    statuses.add(result.getStatus());
                }
            }
        };
        LauncherFactory.create().execute(request().selectors(selected(sentence)).build(), collector);
        return statuses;
    }

    /** Selects the test of {@code Chapter.sentence}. */
    private static DiscoverySelector selected(String sentence) {
        String[] names = sentence.split("\\.", 2);
        String chapter = ScheduleStoreContract.class.getName() + "$" + names[0];
        return selectNestedMethod(List.of(BrokenStoreContract.class.getName()), chapter, names[1]);
    }
}
