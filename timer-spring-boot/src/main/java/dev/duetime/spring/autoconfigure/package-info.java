/** The auto-configuration of a scheduler on the data source of a Spring Boot application. */
@NullMarked
package dev.duetime.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
