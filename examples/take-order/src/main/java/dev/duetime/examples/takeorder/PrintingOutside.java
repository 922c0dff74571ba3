package dev.duetime.examples.takeorder;

import java.io.PrintStream;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Outside services that print each call. Thread-safe. */
final class PrintingOutside implements Outside {
    private final PrintStream out;
    private final Set<String> charged = ConcurrentHashMap.newKeySet();

    PrintingOutside(PrintStream out) {
        this.out = out;
    }

    @Override
    public String pay(String orderId, long cents) {
        out.printf(
                charged.add(orderId)
                        ? "%s: the payment service charges %d.%02d%n"
                        : "%s: the payment service has charged %d.%02d before%n",
                orderId,
                cents / 100,
                cents % 100);
        return "receipt-" + orderId;
    }

    @Override
    public void mail(String customer, List<String> orderIds) {
        out.println("mail to " + customer + " about " + orderIds);
    }

    @Override
    public void report(String vendor, List<String> orderIds) {
        out.println("report to " + vendor + " about " + orderIds);
    }
}
