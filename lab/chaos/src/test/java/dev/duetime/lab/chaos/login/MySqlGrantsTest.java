package dev.duetime.lab.chaos.login;

import dev.duetime.lab.chaos.server.OwnServer;
import java.util.List;

class MySqlGrantsTest extends GrantedLogins {
    MySqlGrantsTest() {
        super(
                OwnServer.mySql(),
                url -> login(url, "migrator"),
                url -> login(url, "runner"),
                List.of(
                        "CREATE DATABASE timers",
                        "CREATE USER migrator@'127.0.0.1' IDENTIFIED BY 'secret'",
                        "CREATE USER runner@'127.0.0.1' IDENTIFIED BY 'secret'",
                        "CREATE USER migrator@localhost IDENTIFIED BY 'secret'",
                        "CREATE USER runner@localhost IDENTIFIED BY 'secret'",
                        "GRANT CREATE, ALTER, INDEX, CREATE VIEW, DROP ON timers.* TO migrator@localhost, migrator@'127.0.0.1'",
                        "GRANT SELECT, INSERT, UPDATE, DELETE ON timers.* TO migrator@localhost, migrator@'127.0.0.1'"),
                List.of("GRANT SELECT, INSERT, UPDATE, DELETE ON timers.* TO runner@localhost, runner@'127.0.0.1'"));
    }

    private static String login(String url, String name) {
        return url.replaceFirst("/mysql\\?user=root", "/timers?user=" + name + "&password=secret");
    }
}
