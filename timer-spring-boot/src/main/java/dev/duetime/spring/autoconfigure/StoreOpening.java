package dev.duetime.spring.autoconfigure;

import dev.duetime.StoreException;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.JdbcScheduleStoreBuilder;
import dev.duetime.jdbc.internal.connection.Failures;
import dev.duetime.spring.DuetimeDataSource;
import dev.duetime.spring.internal.host.StartRefusedException;
import dev.duetime.spring.internal.properties.PropertySettings;
import dev.duetime.spring.properties.DuetimeProperties;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.env.PropertyResolver;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/** The opening of the store on the application's data source. If it fails, the error says what to do. */
final class StoreOpening {
    /** The folder on the class path with the migrations, a folder for each database. */
    private static final String MIGRATIONS = "dev/duetime/jdbc/migrations";

    private final ListableBeanFactory beans;
    private final PropertyResolver environment;
    private final @Nullable DataSource chosen;

    /**
     * Creates the opening.
     *
     * @param chosen the data source with the qualifier {@link DuetimeDataSource}, if there is one
     */
    StoreOpening(ListableBeanFactory beans, PropertyResolver environment, ObjectProvider<DataSource> chosen) {
        this.beans = beans;
        this.environment = environment;
        try {
            this.chosen = chosen.getIfAvailable();
        } catch (NoUniqueBeanDefinitionException e) {
            throw new StartRefusedException(
                    "data source with @DuetimeDataSource must be one but there are " + e.getBeanNamesFound(),
                    "remove the annotation from the others");
        }
    }

    JdbcScheduleStore open(DuetimeProperties properties) {
        boolean migrate = properties.migrate();
        DataSource pool = pool();
        JdbcScheduleStoreBuilder builder = JdbcScheduleStore.builder(pool).migrate(migrate);
        PropertySettings.apply(properties.jdbc(), builder);
        try {
            DataSource migrations = migrate ? migrations(pool) : null;
            if (migrations != null) {
                builder.migrateBy(migrations);
            }
            return builder.build();
        } catch (StoreException e) {
            throw migrate
                    ? new StartRefusedException(
                            "tables of timers could not be brought up to date",
                            "migrate with a login that may create tables (spring.flyway.user and"
                                    + " spring.flyway.password), or run the files below " + MIGRATIONS
                                    + " yourself and set duetime.migrate=false",
                            e)
                    : new StartRefusedException(
                            "store of timers could not be opened", "check that the login may use the database", e);
        } catch (IllegalStateException e) {
            throw migrate
                    ? new StartRefusedException("store of timers could not be opened", null, e)
                    : new StartRefusedException(
                            "tables of timers must exist if duetime.migrate is false but could not be read",
                            "run the files below " + MIGRATIONS + ", or set duetime.migrate=true",
                            e);
        }
    }

    private DataSource pool() {
        DataSource dataSource = chosen != null
                ? chosen
                : beans.getBeanProvider(DataSource.class).getIfUnique();
        if (dataSource == null) {
            throw new StartRefusedException(
                    "data source of timers must be one but there are %s"
                            .formatted(Arrays.toString(
                                    BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, DataSource.class))),
                    "mark one as @Primary or @DuetimeDataSource, declare a bean such as"
                            + " JdbcScheduleStore.of(dataSource), or set duetime.enabled=false");
        }
        // The store commits its writes itself. So it must not get connections that belong to transactions.
        DataSource target =
                dataSource instanceof TransactionAwareDataSourceProxy proxy ? proxy.getTargetDataSource() : null;
        return target == null ? dataSource : target;
    }

    /**
     * Returns the data source of the application's own Flyway, if that has another login than the pool. That login
     * belongs to the application's main database, so it is not used for another one.
     */
    private @Nullable DataSource migrations(DataSource pool) {
        String url = environment.getProperty("spring.flyway.url");
        String user = environment.getProperty("spring.flyway.user");
        if ((url == null && user == null) || isBesideTheMainOne()) {
            return null;
        }
        return new DriverManagerDataSource(
                url != null ? url : url(pool),
                user != null ? user : environment.getProperty("spring.datasource.username", ""),
                environment.getProperty(
                        "spring.flyway.password", environment.getProperty("spring.datasource.password", "")));
    }

    @SuppressWarnings("ReferenceEquality")
    private boolean isBesideTheMainOne() {
        return chosen != null
                && chosen != beans.getBeanProvider(DataSource.class).getIfUnique();
    }

    private String url(DataSource pool) {
        String url = environment.getProperty("spring.datasource.url");
        if (url != null) {
            return url;
        }
        try (Connection connection = pool.getConnection()) {
            return connection.getMetaData().getURL();
        } catch (SQLException e) {
            throw Failures.of("read the URL of", "the database", e);
        }
    }
}
