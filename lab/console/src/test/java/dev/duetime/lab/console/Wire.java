package dev.duetime.lab.console;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Requests as they are on the wire, which no client library would send. */
final class Wire {
    private static final Pattern TOKEN = Pattern.compile("duetime-console=([A-Za-z0-9_-]{24})");

    private final URI address;

    Wire(URI address) {
        this.address = address;
    }

    /** Connects and sends something. */
    Socket open(String text) throws IOException {
        Socket socket = new Socket("localhost", address.getPort());
        socket.setSoTimeout(20_000);
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        return socket;
    }

    String host() {
        return "localhost:" + address.getPort();
    }

    /** Returns the answer to a request without a body; empty if there is none. */
    String send(String line, String... headers) throws IOException {
        StringBuilder text = new StringBuilder(line).append(" HTTP/1.1\r\n");
        if (String.join("", headers).indexOf("Host:") < 0) {
            text.append("Host: ").append(host()).append("\r\n");
        }
        for (String each : headers) {
            text.append(each).append("\r\n");
        }
        return exchange(text.append("Connection: close\r\n\r\n").toString());
    }

    /** Returns the answer to a form of a page of the console. */
    String post(String path, String form, String... headers) throws IOException {
        Matcher cookie = TOKEN.matcher(send("GET " + address.getPath()));
        if (!cookie.find()) {
            throw new AssertionError("the page must set the cookie");
        }
        String body = "token=" + cookie.group(1) + "&" + form;
        String more = headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n";
        return exchange("POST " + path + " HTTP/1.1\r\nHost: " + host() + "\r\nConnection: close\r\n" + more
                + "Cookie: duetime-console=" + cookie.group(1) + "\r\n"
                + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: " + body.length() + "\r\n\r\n"
                + body);
    }

    /** A server may refuse a request before it has read all of it, and close the connection. */
    private String exchange(String text) throws IOException {
        try (Socket socket = open(text)) {
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (SocketException e) {
            return "";
        }
    }

    static int status(String answer) {
        return answer.isEmpty() ? 0 : Integer.parseInt(answer.split(" ", 3)[1]);
    }
}
