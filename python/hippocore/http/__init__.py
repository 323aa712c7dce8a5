"""JSON over HTTP with the standard library alone, for servers of models. Importing this loads no network library."""
