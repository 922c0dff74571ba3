/** Sets up a scheduler in a Spring Boot application: auto-configuration, handlers as beans, health. */
@NullMarked
package dev.duetime.spring;

import org.jspecify.annotations.NullMarked;
