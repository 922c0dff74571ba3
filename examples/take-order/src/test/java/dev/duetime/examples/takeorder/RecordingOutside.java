package dev.duetime.examples.takeorder;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Outside services that record each call. They refuse as many payments as the test asks for. */
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
