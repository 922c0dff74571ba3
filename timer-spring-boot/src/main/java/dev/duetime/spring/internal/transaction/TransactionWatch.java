package dev.duetime.spring.internal.transaction;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * A bean that makes all transaction managers register a {@link WatchedTransaction} when a transaction begins.
 * Thread-safe.
 */
public final class TransactionWatch implements BeanPostProcessor, SmartInitializingSingleton {
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
            manager.addListener(new Listener(!(manager instanceof ResourceTransactionManager)));
        }
    }

    /** A listener to the transactions of one manager. */
    private record Listener(boolean joinedByConnections) implements TransactionExecutionListener {

        /** Connections that are bound by now belong to no transaction, or to one that is noted already. */
        @Override
        public void beforeBegin(TransactionExecution transaction) {
            WatchedTransaction.note(null);
        }

        @Override
        public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
            if (failure != null || !TransactionSynchronizationManager.isSynchronizationActive()) {
                return;
            }
            WatchedTransaction watched = WatchedTransaction.current();
            if (watched == null) {
                watched = new WatchedTransaction(joinedByConnections);
                TransactionSynchronizationManager.registerSynchronization(watched);
            }
            WatchedTransaction.note(watched);
        }
    }
}
