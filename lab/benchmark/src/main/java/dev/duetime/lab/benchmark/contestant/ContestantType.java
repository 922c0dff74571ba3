package dev.duetime.lab.benchmark.contestant;

import dev.duetime.lab.benchmark.database.DatabaseKind;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The libraries that can take part, and what each can do. */
public enum ContestantType {
    /** Default settings. Its one trial run is only a warm-up. */
    DUETIME(1, true, true, List.of(new Tuning(1, 500))) {
        @Override
        public Contestant open(Site site) {
            return site.todos() == null ? new Duetime(site) : new DuetimeTodos(site, site.todos());
        }
    },
    RAW(1, true, true, List.of(new Tuning(1, 500), new Tuning(1, 2_000), new Tuning(2, 500), new Tuning(2, 2_000))) {
        @Override
        public Contestant open(Site site) {
            return new Raw(site);
        }
    },
    /** Deletes finished work; its users keep no rows. */
    DB_SCHEDULER(
            1,
            false,
            true,
            List.of(
                    new Tuning(10, 40),
                    new Tuning(25, 100),
                    new Tuning(50, 200),
                    new Tuning(20, 400, 80),
                    new Tuning(100, 600, 200))) {
        @Override
        public Contestant open(Site site) throws Exception {
            return new DbScheduler(site);
        }
    },
    /** Deletes finished work. */
    QUARTZ(10, false, true, List.of(new Tuning(10, 10), new Tuning(25, 25), new Tuning(50, 50))) {
        @Override
        public Contestant open(Site site) throws Exception {
            return new Quartz(site);
        }
    },
    /** Keeps finished work for 36 hours. */
    JOBRUNR(10, true, false, List.of(new Tuning(8, 1_000), new Tuning(16, 1_000), new Tuning(32, 1_000))) {
        @Override
        public Contestant open(Site site) {
            return new JobRunrServer(site);
        }
    };

    private static final Map<ContestantType, Class<?>> LIBRARIES = Map.of(
            DUETIME, dev.duetime.Scheduler.class,
            DB_SCHEDULER, com.github.kagkarlsson.scheduler.Scheduler.class,
            QUARTZ, org.quartz.Scheduler.class,
            JOBRUNR, org.jobrunr.scheduling.JobScheduler.class);

    private final int slowness;
    private final boolean keeps;
    private final boolean deletes;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<Tuning> tunings;

    ContestantType(int slowness, boolean keeps, boolean deletes, List<Tuning> tunings) {
        this.slowness = slowness;
        this.keeps = keeps;
        this.deletes = deletes;
        this.tunings = tunings;
    }

    public abstract Contestant open(Site site) throws Exception;

    public static ContestantType named(String label) {
        return Arrays.stream(values())
                .filter(type -> type.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "contestant must be one of duetime, raw, db-scheduler, quartz, jobrunr but was " + label));
    }

    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Returns how many of the timers it gets: a tenth of them, if all would take an hour. Fewer rows are no
     * disadvantage.
     */
    public int affordable(int timers) {
        return Math.max(1, timers / slowness);
    }

    /** Returns whether it can keep ended timers, or can delete them. */
    public boolean can(boolean keep) {
        return keep ? keeps : deletes;
    }

    public List<Tuning> tunings() {
        return tunings;
    }

    /** Returns whether it works on a database. Quartz locks by SELECT FOR UPDATE, which SQLite does not have. */
    public boolean runsOn(DatabaseKind kind) {
        return this != QUARTZ || kind != DatabaseKind.SQLITE;
    }

    /** Returns the name of the library's jar, which tells the version; empty for plain JDBC. */
    public String version() {
        Class<?> library = LIBRARIES.get(this);
        return library == null
                ? ""
                : library.getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .getPath()
                        .replaceFirst(".*/([^/]+)/?$", "$1");
    }

    /** Returns the settings of the driver for it. With them, db-scheduler's batches are sent as one statement. */
    public String urlOptions(DatabaseKind kind) {
        return this == DB_SCHEDULER && kind == DatabaseKind.POSTGRES ? "&reWriteBatchedInserts=true" : "";
    }

    /** Returns whether it is a library, and not the plain JDBC that measures the machine. */
    public boolean isPeer() {
        return Set.of(DB_SCHEDULER, QUARTZ, JOBRUNR).contains(this);
    }
}
