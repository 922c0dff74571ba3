package dev.duetime.examples.takeorder;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Records what it is asked for, and refuses as many payments as it is told. */
final class RecordingOutside implements Outside {
    final List<String> paid = new ArrayList<>();
    final List<String> mails = new ArrayList<>();
    final List<String> reports = new ArrayList<>();
    int failures;

    @Override
    public String pay(String orderId, long cents) throws IOException {
        if (failures-- > 0) {
            throw new IOException("the payment service is away");
        }
        paid.add(orderId);
        return "receipt-" + orderId;
    }

    @Override
    public void mail(String customer, List<String> orderIds) {
        mails.add(customer + orderIds);
    }

    @Override
    public void report(String vendor, List<String> orderIds) {
        reports.add(vendor + orderIds);
    }
}
