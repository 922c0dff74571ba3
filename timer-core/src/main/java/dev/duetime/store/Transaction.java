package dev.duetime.store;

/** Marks a transaction that a caller owns; each store knows its own kinds and refuses the others. */
public interface Transaction {}
