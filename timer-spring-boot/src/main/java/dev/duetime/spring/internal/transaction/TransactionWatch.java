package dev.duetime.spring.internal.transaction;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * A bean that makes all transaction managers create a {@link WatchedTransaction} when a transaction begins.
 * Thread-safe.
 */
public final class TransactionWatch implements BeanPostProcessor, SmartInitializingSingleton {
    /** The class of a manager of JTA, and of those of servers. It is loaded only if the application has JTA. */
    private static final String JTA = "org.springframework.transaction.jta.JtaTransactionManager";

    private final ListableBeanFactory beans;

    public TransactionWatch(ListableBeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof ConfigurableTransactionManager manager) {
            watch(manager);
        }
        return bean;
    }

    /** Watches managers that were created before this bean, or in a parent context. */
    @Override
    public void afterSingletonsInstantiated() {
        BeanFactoryUtils.beansOfTypeIncludingAncestors(beans, ConfigurableTransactionManager.class, false, false)
                .values()
                .forEach(TransactionWatch::watch);
    }

    private static void watch(ConfigurableTransactionManager manager) {
        if (manager.getTransactionExecutionListeners().stream().noneMatch(Listener.class::isInstance)) {
            manager.addListener(new Listener(isJta(manager.getClass())));
        }
    }

    private static boolean isJta(Class<?> type) {
        Class<?> each = type;
        while (each != null && !each.getName().equals(JTA)) {
            each = each.getSuperclass();
        }
        return each != null;
    }

    /** A listener to the transactions of one manager. */
    private record Listener(boolean joinedByConnections) implements TransactionExecutionListener {

        /** Resources that are bound by now belong to no transaction, or to one that is noted already. */
        @Override
        public void beforeBegin(TransactionExecution transaction) {
            WatchedTransaction.note(null);
        }

        @Override
        public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
            if (failure != null) {
                return;
            }
            WatchedTransaction watched = WatchedTransaction.current();
            if (watched == null) {
                watched = new WatchedTransaction(transaction, joinedByConnections);
                watched.register();
            }
            WatchedTransaction.note(watched);
        }

        @Override
        public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
            WatchedTransaction.ended(transaction, WatchedTransaction::afterCommit);
        }

        @Override
        public void afterRollback(TransactionExecution transaction, @Nullable Throwable failure) {
            WatchedTransaction.ended(
                    transaction, watched -> watched.afterCompletion(WatchedTransaction.STATUS_ROLLED_BACK));
        }
    }
}
