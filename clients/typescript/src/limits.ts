/** Aborts a request when `seconds` pass without a restart, when the caller's signal is aborted, or when it ends. */
export class TimeLimit {
  private readonly controller = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly seconds: number,
    private readonly outer?: AbortSignal,
  ) {
    outer?.throwIfAborted();
    outer?.addEventListener("abort", this.abort);
    this.restart();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  restart(): void {
    this.pause();
    this.timer = setTimeout(this.abort, this.seconds * 1000);
  }

  /** Stop counting, while the caller of an iterator is busy. */
  pause(): void {
    clearTimeout(this.timer);
  }

  /** Close the connection, if it is still open. */
  end(): void {
    this.pause();
    this.outer?.removeEventListener("abort", this.abort);
    this.abort();
  }

  private readonly abort = (): void => this.controller.abort();
}

/** Wait. Throws the signal's reason as soon as it is aborted. */
export async function sleep(seconds: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((done) => {
    const timer = setTimeout(wake, seconds * 1000);
    function wake(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", wake);
      done();
    }
    signal?.addEventListener("abort", wake);
  });
  signal?.throwIfAborted();
}
