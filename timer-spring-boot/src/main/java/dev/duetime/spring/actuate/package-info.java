/** What operators see of the scheduler in a Spring Boot application: health, meters and an endpoint. */
@NullMarked
package dev.duetime.spring.actuate;

import org.jspecify.annotations.NullMarked;
