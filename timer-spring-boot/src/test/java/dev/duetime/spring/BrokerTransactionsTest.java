package dev.duetime.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.store.ScheduleStore;
import dev.duetime.testkit.TestClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Tests of scheduling in transactions without callbacks, which Spring does not report as active. */
class BrokerTransactionsTest {

    /** The data source's connection stays bound, so the application's own writes are in the transaction around. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void insideATransactionOfTheTimersThatOneIsJoined(boolean commits) {
        TwoManagers.run(application -> {
            application.schedule("cancelled");
            application.database().executeWithoutResult(status -> {
                application.schedule("twice");
                application.of(TwoManagers.BROKER).executeWithoutResult(inner -> {
                    application.schedule(
                            Timer.after("twice", Duration.ofHours(1)).type("y").build());
                    application.schedule("inner");
                    application.cancel("cancelled");
                });
                application.schedule("outer");
                if (!commits) {
                    status.setRollbackOnly();
                }
            });

            assertThat(application.stored())
                    .containsExactlyInAnyOrder(
                            commits ? new String[] {"twice", "inner", "outer"} : new String[] {"cancelled"});
        });
    }

    @Test
    void callsAfterTheTransactionCommitByThemselves() {
        TwoManagers.run(application -> {
            application.of(TwoManagers.BROKER).executeWithoutResult(status -> {});
            application.schedule("committed");
            application.of(TwoManagers.BROKER).executeWithoutResult(status -> status.setRollbackOnly());
            application.schedule("rolled back");

            assertThat(application.stored()).containsExactlyInAnyOrder("committed", "rolled back");
        });
    }

    @Test
    void aSuspendedTransactionIsNoObstacle() {
        TwoManagers.run(application -> {
            TransactionTemplate none = application.of(TwoManagers.BROKER);
            none.setPropagationBehavior(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
            application.of(TwoManagers.BROKER).executeWithoutResult(status -> {
                none.executeWithoutResult(inner -> application.schedule("kept"));
                assertThatIllegalStateException().isThrownBy(() -> application.schedule("in"));
                status.setRollbackOnly();
            });

            assertThat(application.stored()).containsExactly("kept");
        });
    }

    /** What the callback belongs to is committed, even if the broker's transaction is rolled back. */
    @ParameterizedTest
    @ValueSource(strings = {"afterCommit", "afterCompletion"})
    void callbacksOfATransactionInsideCommitByThemselves(String phase) {
        TwoManagers.run(application -> {
            application.of(TwoManagers.BROKER).executeWithoutResult(status -> {
                application
                        .database()
                        .executeWithoutResult(inner -> TwoManagers.on(phase, () -> application.schedule(phase)));
                status.setRollbackOnly();
            });

            assertThat(application.stored()).containsExactly(phase);
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aTransactionOfTheDataSourceWithoutCallbacksIsJoined(boolean commits) {
        TwoManagers.run(application -> {
            application.of(TwoManagers.SILENT).executeWithoutResult(status -> {
                application.schedule("in");
                if (!commits) {
                    status.setRollbackOnly();
                }
            });
            application.schedule("after");

            assertThat(application.stored())
                    .containsExactlyInAnyOrder(commits ? new String[] {"in", "after"} : new String[] {"after"});
        });
    }

    /** The manager itself tells of the commit. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aHintIsSentAfterTheCommitOfATransactionWithoutCallbacks(boolean commits) {
        TwoManagers.run(application -> {
            application.of(TwoManagers.SILENT).executeWithoutResult(status -> {
                application.schedule(Timer.after("soon", Duration.ofSeconds(1)).build());
                assertThat(hintsOf(application)).isZero();
                if (!commits) {
                    status.setRollbackOnly();
                }
            });

            assertThat(hintsOf(application)).isEqualTo(commits ? 1 : 0);
        });
    }

    private static int hintsOf(TwoManagers application) {
        application.context().getBean(TestClock.class).advance(Duration.ofMillis(100));
        ScheduleStore store =
                (ScheduleStore) application.context().getBean(Scheduler.class).store();
        return store.wakeUps().sent().size();
    }
}
