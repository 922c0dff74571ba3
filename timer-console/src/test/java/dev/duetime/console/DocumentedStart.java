package dev.duetime.console;

import dev.duetime.Scheduler;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** What docs/console.md shows. It is compiled and not run, because its ports may be taken. */
final class DocumentedStart {

    private DocumentedStart() {}

    static void forThisMachine(Scheduler scheduler) {
        ConsoleServer console = ConsoleServer.start(scheduler, 8090);
        console.close();
    }

    static ConsoleServer forOthers(Scheduler scheduler) {
        return ConsoleServer.start(
                Console.of(scheduler)
                        .access(request -> grantOf(request.header("x-user")))
                        .hosts("ops.example.com")
                        .basePath("/duetime"),
                new InetSocketAddress(8090));
    }

    static void inAServletContainer(ServletContext context, Scheduler scheduler) {
        ServletRegistration.Dynamic console = context.addServlet(
                "duetime", new ConsoleServlet(Console.of(scheduler), request -> grantOf(request.getRemoteUser())));
        console.addMapping("/ops/duetime/*");
        console.setAsyncSupported(true);
    }

    private static Grant grantOf(@Nullable String user) {
        return user == null ? Grant.none() : Grant.operate(user);
    }
}
