/** What a Spring Boot application uses: annotations and interfaces of handlers, events, and a qualifier. */
@NullMarked
package dev.duetime.spring;

import org.jspecify.annotations.NullMarked;
