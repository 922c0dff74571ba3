package dev.duetime.examples.springboot;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The HTTP interface: places orders, accepts payments and shows states. */
@RestController
@RequestMapping("/orders/{id}")
class OrdersController {
    private final Orders orders;

    OrdersController(Orders orders) {
        this.orders = orders;
    }

    @PutMapping
    @ResponseStatus(HttpStatus.CREATED)
    void place(@PathVariable String id) {
        orders.place(id);
    }

    @PutMapping("/payment")
    ResponseEntity<Void> pay(@PathVariable String id) {
        return ResponseEntity.status(orders.pay(id) ? HttpStatus.NO_CONTENT : HttpStatus.CONFLICT)
                .build();
    }

    @GetMapping
    ResponseEntity<String> state(@PathVariable String id) {
        return ResponseEntity.of(orders.state(id));
    }

    @ExceptionHandler(DuplicateKeyException.class)
    @ResponseStatus(HttpStatus.CONFLICT)
    void exists() {}
}
