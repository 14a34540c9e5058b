"""`python -m bench.hostile COUNT`: run the hostile receivers of the tests and print their URLs as JSON, until
killed.
"""

import json
import sys
import threading

from tests.faults.receivers import hostile_receivers, loopback, respond_204


def main(count: int) -> None:
    """Run until killed."""
    with loopback() as network:
        receivers = hostile_receivers(network, network.receiver(respond_204, "trap"), count)
        print(json.dumps([each.url for each in receivers]), flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main(int(sys.argv[1]))
