"""`python -m bench.hostile COUNT`: run the hostile receivers of the tests, print their URLs as JSON, and wait to be
killed.
"""

import json
import sys
import threading

from tests.faults.receivers import accepts, hostile_ones, loopback


def main(count: int) -> None:
    """Run until killed."""
    with loopback() as here:
        ones = hostile_ones(here, here.receiver(accepts, "trap"), count)
        print(json.dumps([each.url for each in ones]), flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main(int(sys.argv[1]))
