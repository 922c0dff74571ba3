package dev.duetime.lab.benchmark.run;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;

/** The machine on which the figures were measured, and how much of it this process uses. */
public final class Machine {
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final double MEGABYTE = 1024.0 * 1024.0;

    private Machine() {}

    /** Returns the machine, the JDK, and the database with the settings that matter. */
    public static Map<String, Object> describe(Map<String, String> database) {
        Map<String, Object> machine = new LinkedHashMap<>();
        machine.put("started", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        machine.put("cores", Runtime.getRuntime().availableProcessors());
        machine.put("memory_mb", Math.round(SYSTEM.getTotalMemorySize() / MEGABYTE));
        machine.put("load_average_before", SYSTEM.getSystemLoadAverage());
        machine.put("os", "%s %s %s".formatted(SYSTEM.getName(), SYSTEM.getVersion(), SYSTEM.getArch()));
        machine.put("jdk", "%s %s".formatted(System.getProperty("java.vm.name"), Runtime.version()));
        machine.put("max_heap_mb", Math.round(Runtime.getRuntime().maxMemory() / MEGABYTE));
        machine.put("database", new LinkedHashMap<>(database));
        return machine;
    }

    /** Returns the CPU time of this process. */
    public static long processCpuNanos() {
        return SYSTEM.getProcessCpuTime();
    }

    /** Returns how much of the heap is in use, after garbage was collected. */
    public static double heapMegabytes() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return (runtime.totalMemory() - runtime.freeMemory()) / MEGABYTE;
    }
}
