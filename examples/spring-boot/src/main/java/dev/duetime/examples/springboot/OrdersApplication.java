package dev.duetime.examples.springboot;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** An application that takes orders over HTTP and cancels those that are not paid in time. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class OrdersApplication {

    /** Runs until it is stopped. */
    public static void main(String[] args) {
        SpringApplication.run(OrdersApplication.class, args);
    }
}
