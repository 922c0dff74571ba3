package dev.duetime.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The rule that no client of the JDK's server holds up the others. */
class ConsoleServerTest extends ConsoleKit {
    private static final String PAGE = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    private static final int MORE_THAN_THREADS = 220;

    private final List<Socket> sockets = new ArrayList<>();
    private final ConsoleServer server = ConsoleServer.start(
            Console.of(kit.scheduler()), new InetSocketAddress("localhost", 0), Duration.ofMillis(500));

    @AfterEach
    void close() throws IOException {
        for (Socket each : sockets) {
            each.close();
        }
        server.close();
    }

    private Socket connect(String text) throws IOException {
        Socket socket = new Socket("localhost", server.address().getPort());
        sockets.add(socket);
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        return socket;
    }

    /** Returns the answer; empty if the server has closed the connection. */
    private static String read(Socket socket) {
        try {
            InputStream in = socket.getInputStream();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    @Test
    void clientsThatSendNoWholeRequestAreCutOff() throws IOException {
        List<Socket> slow = new ArrayList<>();
        for (int i = 0; i < MORE_THAN_THREADS; i++) {
            slow.add(connect("GET / HTTP/1.1\r\nHost: local"));
        }
        for (Socket each : slow) {
            assertThat(read(each)).doesNotContain("200 OK");
        }
        assertThat(read(connect(PAGE))).startsWith("HTTP/1.1 200 OK");
    }

    @Test
    void aFormThatNeverEndsIsCutOffAndNothingIsDone() throws IOException {
        Socket socket =
                connect("POST /do/queue HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500\r\n\r\naction=pause");

        assertThat(read(socket)).doesNotContain("200 OK");
    }

    @Test
    void aClientThatDoesNotReadIsCutOff() throws IOException {
        Socket socket = connect("");
        OutputStream out = socket.getOutputStream();
        byte[] asks = "GET /assets/console.css HTTP/1.1\r\nHost: localhost\r\n\r\n"
                .repeat(1_000)
                .getBytes(StandardCharsets.UTF_8);

        assertThatThrownBy(() -> {
                    while (true) {
                        out.write(asks);
                    }
                })
                .isInstanceOf(IOException.class);
        assertThat(read(connect(PAGE))).startsWith("HTTP/1.1 200 OK");
    }

    @Test
    void idleConnectionsAndStreamsThatNobodyReadsLeaveRoomForPages() throws IOException {
        for (int i = 0; i < 1_000; i++) {
            connect("");
        }
        for (int i = 0; i < MORE_THAN_THREADS; i++) {
            connect("GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n");
        }

        String answer = "";
        while (answer.isEmpty()) {
            answer = read(connect(PAGE));
        }

        assertThat(answer).startsWith("HTTP/1.1 200 OK");
    }

    @Test
    void aFormOfMoreThanAMegabyteIsRefused() throws IOException {
        String form = "action=pause&queue=default&reason=" + "x".repeat(Console.LARGEST_FORM);

        String answer = read(connect("POST /do/queue HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: " + form.length() + "\r\n\r\n"
                + form));

        assertThat(answer).startsWith("HTTP/1.1 413").contains("Nothing was changed.");
    }

    @Test
    void aThreadThatWasCutOffServesTheNextClient() throws IOException {
        for (int i = 0; i < 3; i++) {
            assertThat(read(connect("GET / HTTP/1.1\r\n"))).doesNotContain("200 OK");
            assertThat(read(connect(PAGE))).startsWith("HTTP/1.1 200 OK");
        }
    }
}
