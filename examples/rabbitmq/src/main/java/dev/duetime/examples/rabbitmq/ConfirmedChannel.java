package dev.duetime.examples.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import java.io.IOException;

/** A channel in confirm mode, with its listener. */
record ConfirmedChannel(Channel channel, Confirms confirms) {

    static ConfirmedChannel open(Connection connection) throws IOException {
        Channel channel = connection.createChannel();
        if (channel == null) {
            throw new IOException("the connection has no channel left");
        }
        Confirms confirms = new Confirms();
        channel.confirmSelect();
        channel.addConfirmListener(confirms);
        channel.addReturnListener(confirms);
        channel.addShutdownListener(confirms::lost);
        return new ConfirmedChannel(channel, confirms);
    }
}
