/** Orders that are cancelled if they are not paid in time, in a Spring Boot application. */
package dev.duetime.examples.springboot;
