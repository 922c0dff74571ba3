/** The auto-configuration that serves the console on the server of a Spring Boot application. */
@NullMarked
package dev.duetime.spring.console;

import org.jspecify.annotations.NullMarked;
