# A service manager's end of sd_notify(3): prints every message that arrives at the socket, its lines joined by spaces.
import socket
import sys

path = sys.argv[1]
manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
manager.bind("\0" + path[1:] if path.startswith("@") else path)
print("bound", flush=True)
while True:
    print(" ".join(manager.recv(4096).decode().split("\n")), flush=True)
