"""What becomes of memories in time: policies that the layer's verbs call, each in a file of its own."""
