/** Auto-configuration for Spring Boot: a scheduler, handlers as beans, health and metrics. */
@NullMarked
package dev.duetime.spring;

import org.jspecify.annotations.NullMarked;
