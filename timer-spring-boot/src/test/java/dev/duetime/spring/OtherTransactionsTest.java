package dev.duetime.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Tests of scheduling in transactions of a second manager without a JDBC connection, and in nested transactions. */
class OtherTransactionsTest {

    @ParameterizedTest
    @CsvSource({"jpa, true", "jpa, false", "own, true", "own, false", "broker, true", "broker, false"})
    void aTransactionWithoutAConnectionIsRefused(String manager, boolean commits) {
        TwoManagers.run(application -> {
            application.of(manager).executeWithoutResult(status -> {
                assertThatIllegalStateException()
                        .isThrownBy(() -> application.schedule("in"))
                        .withMessageContaining("transaction must be of the timers' data source");
                if (!commits) {
                    status.setRollbackOnly();
                }
            });

            assertThat(application.stored()).isEmpty();
        });
    }

    @ParameterizedTest
    @CsvSource({"jpa, afterCommit", "jpa, afterCompletion", "own, afterCommit", "own, afterCompletion"})
    void callsAfterATransactionWithoutAConnectionCommitByThemselves(String manager, String phase) {
        TwoManagers.run(application -> {
            application
                    .of(manager)
                    .executeWithoutResult(status -> TwoManagers.on(phase, () -> application.schedule(phase)));

            assertThat(application.stored()).containsExactly(phase);
        });
    }

    /** The connection of the completed transaction is still bound to the thread. */
    @ParameterizedTest
    @CsvSource({"jpa, afterCommit", "jpa, afterCompletion", "own, afterCommit", "own, afterCompletion"})
    void aForeignTransactionInACallbackDoesNotReviveTheCompletedOne(String manager, String phase) {
        TwoManagers.run(application -> {
            List<Throwable> refusals = new ArrayList<>();
            application.database().executeWithoutResult(status -> {
                application.touch();
                TwoManagers.on(
                        phase,
                        () -> application.of(manager).executeWithoutResult(inner -> {
                            refusals.add(catchThrowable(() -> application.schedule("in")));
                            TwoManagers.on("afterCommit", () -> application.schedule("after both"));
                        }));
            });

            assertThat(application.stored()).containsExactly("after both");
            assertThat(refusals).singleElement().isInstanceOf(IllegalStateException.class);
        });
    }

    @ParameterizedTest
    @CsvSource({"jpa, true", "jpa, false", "own, true", "own, false"})
    void aForeignTransactionInsideJoinsTheOpenOneAround(String manager, boolean commits) {
        TwoManagers.run(application -> {
            application.database().executeWithoutResult(status -> {
                application.of(manager).executeWithoutResult(inner -> application.schedule("inner"));
                application
                        .of(manager)
                        .executeWithoutResult(
                                inner -> TwoManagers.on("afterCommit", () -> application.schedule("after")));
                application.schedule("outer");
                if (!commits) {
                    status.setRollbackOnly();
                }
            });

            assertThat(application.stored())
                    .containsExactlyInAnyOrder(commits ? new String[] {"inner", "after", "outer"} : new String[0]);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"jpa", "own", "broker"})
    void aTransactionWithoutAConnectionMayBeAroundOneOfTheTimers(String manager) {
        TwoManagers.run(application -> {
            application.of(manager).executeWithoutResult(status -> {
                application.database().executeWithoutResult(inner -> application.schedule("in"));
                status.setRollbackOnly();
            });

            assertThat(application.stored()).containsExactly("in");
        });
    }

    @Test
    void aNestedTransactionThatRollsBackUndoesItsOwnWritesOnly() {
        TwoManagers.run(application -> {
            TransactionTemplate nested = application.database();
            nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);

            application.database().executeWithoutResult(status -> {
                application.schedule("outer");
                nested.executeWithoutResult(inner -> {
                    application.schedule("nested");
                    inner.setRollbackOnly();
                });
                application.schedule("later");
            });

            assertThat(application.stored()).containsExactlyInAnyOrder("outer", "later");
        });
    }

    @Test
    void aSuspendedTransactionIsNotJoined() {
        TwoManagers.run(application -> {
            TransactionTemplate none = application.database();
            none.setPropagationBehavior(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);

            application.database().executeWithoutResult(status -> {
                application.schedule("lost");
                none.executeWithoutResult(inner -> application.schedule("kept"));
                application.schedule("lost, too");
                status.setRollbackOnly();
            });

            assertThat(application.stored()).containsExactly("kept");
        });
    }
}
