package dev.duetime.examples.kafka;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import kafka.Kafka;
import kafka.tools.StorageTool;

/** The process of a broker that is its own controller (KRaft). Formats its folder when it starts there first. */
public final class BrokerProcess {
    private static final PrintStream OUT = System.out;
    private static final String CLUSTER = "MkU3OEVBNTcwNTJENDM2Qg";

    private BrokerProcess() {}

    /** Runs until the process is killed; the arguments are the path of server.properties and the folder of the log. */
    public static void main(String[] args) {
        if (!Files.exists(Path.of(args[1], "meta.properties"))) {
            StorageTool.execute(new String[] {"format", "-t", CLUSTER, "-c", args[0]}, OUT);
        }
        Kafka.main(new String[] {args[0]});
    }
}
