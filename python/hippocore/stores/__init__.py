"""Stores: the protocol that MemoryLayer writes to and reads from, and the native one."""
