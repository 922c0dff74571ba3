package dev.duetime.lab.chaos.login;

import dev.duetime.lab.chaos.server.OwnServer;
import java.util.List;

class PostgresGrantsTest extends GrantedLogins {
    PostgresGrantsTest() {
        super(
                OwnServer.postgres(),
                url -> login(url, "migrator"),
                url -> login(url, "runner"),
                List.of(
                        "CREATE ROLE migrator LOGIN",
                        "CREATE ROLE runner LOGIN",
                        "CREATE SCHEMA timers",
                        "REVOKE ALL ON SCHEMA public FROM PUBLIC",
                        "GRANT CREATE, USAGE ON SCHEMA timers TO migrator"),
                List.of(
                        "GRANT USAGE ON SCHEMA timers TO runner",
                        "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA timers TO runner"));
    }

    private static String login(String url, String name) {
        return url.replaceFirst("user=\\w+", "user=" + name) + "&currentSchema=timers";
    }

    @Override
    protected boolean expiresUnread() {
        return true;
    }
}
