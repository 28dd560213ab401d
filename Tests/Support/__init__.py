"""What the Python tests share: the command, a server that it starts, and how programs talk to that."""
