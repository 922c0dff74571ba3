package dev.duetime.lab.console;

import dev.duetime.console.ConsoleBuilder;
import dev.duetime.console.ConsoleServer;
import dev.duetime.console.ConsoleServlet;
import jakarta.servlet.Servlet;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.Wrapper;
import org.apache.catalina.startup.Tomcat;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** A server that serves a console below {@code /shop/ops}. */
record Mount(URI address, AutoCloseable server) implements AutoCloseable {
    private static final String APPLICATION = "/shop";
    private static final String SERVLET = "/ops";

    /** The servers that mount a console. */
    enum Kind {
        JDK,
        TOMCAT,
        JETTY
    }

    static Mount start(Kind kind, ConsoleBuilder console, Path folder) throws Exception {
        return switch (kind) {
            case JDK -> jdk(console);
            case TOMCAT -> tomcat(new ConsoleServlet(console), folder);
            case JETTY -> jetty(new ConsoleServlet(console));
        };
    }

    private static Mount jdk(ConsoleBuilder console) {
        ConsoleServer server =
                ConsoleServer.start(console.basePath(APPLICATION + SERVLET), new InetSocketAddress("localhost", 0));
        return new Mount(server.address(), server);
    }

    static Mount tomcat(Servlet console, Path folder) throws Exception {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(folder.toString());
        tomcat.setPort(0);
        Context context = tomcat.addContext(APPLICATION, folder.toString());
        Wrapper wrapper = Tomcat.addServlet(context, "console", console);
        wrapper.setAsyncSupported(true);
        context.addServletMappingDecoded(SERVLET + "/*", "console");
        tomcat.getConnector();
        tomcat.start();
        return new Mount(address(tomcat.getConnector().getLocalPort()), () -> {
            tomcat.stop();
            tomcat.destroy();
        });
    }

    static Mount jetty(Servlet console) throws Exception {
        return jetty(console, true);
    }

    static Mount jetty(Servlet console, boolean isAsyncSupported) throws Exception {
        Server server = new Server(0);
        ServletContextHandler context = new ServletContextHandler(APPLICATION);
        ServletHolder holder = new ServletHolder(console);
        holder.setAsyncSupported(isAsyncSupported);
        context.addServlet(holder, SERVLET + "/*");
        server.setHandler(context);
        server.start();
        return new Mount(address(((ServerConnector) server.getConnectors()[0]).getLocalPort()), server::stop);
    }

    private static URI address(int port) {
        return URI.create("http://localhost:" + port + APPLICATION + SERVLET + "/");
    }

    String base() {
        return APPLICATION + SERVLET;
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (Exception e) {
            throw new AssertionError("the server must stop", e);
        }
    }
}
