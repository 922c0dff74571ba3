package dev.duetime.lab.chaos.server;

import java.nio.file.Path;
import java.util.List;

/** The installed program of a database server, with the commands that it takes. */
interface ServerProgram {

    /** Returns the user of the operating system that runs it where this process is root. */
    String user();

    /** Returns the command that creates an empty database in a directory. */
    List<String> install(Path data);

    /** Returns the command that runs it in the foreground, on loopback only, as durable as in production. */
    List<String> run(Path data, Path pidFile, int port);

    String url(int port);
}
