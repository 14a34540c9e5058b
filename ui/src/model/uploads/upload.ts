import type { DetailedError } from "tus-js-client";
import { ApiError } from "@/api/errors";
import { texts } from "@/texts";

interface Sending {
  file: Blob;
  onSent: (bytes: number) => void;
  signal: AbortSignal;
}

export interface Wanted extends Sending {
  roomId: string;
  kind: "recording" | "attachment";
  name: string;
}

interface WantedAt extends Sending {
  endpoint: string;
  metadata: Record<string, string>;
  /** Whether it goes on where it was when the same file is chosen again. */
  isResumed: boolean;
}

const PAUSES_MS = [0, 1000, 3000, 5000, 10_000, 20_000, 30_000];

/** Send a file to a room. Answers with the id of the recording or attachment that it becomes. */
export const upload = ({ roomId, kind, name, ...sending }: Wanted): Promise<string> =>
  uploadTo({
    ...sending,
    endpoint: `/v2/rooms/${roomId}/uploads`,
    metadata: { filename: name, kind },
    isResumed: kind === "recording",
  });

/**
 * Send a file by the tus protocol; answers with the id of what it becomes. A line that breaks is waited for and the file
 * goes on where it was, also after the page was closed and the same file is chosen again. Throws ApiError, and an
 * AbortError where `signal` ended it: the server then forgets what it had.
 */
export async function uploadTo(wanted: WantedAt): Promise<string> {
  const { endpoint, metadata, isResumed, file, onSent, signal } = wanted;
  const { Upload } = await import("tus-js-client");
  let end: (error: unknown) => void = () => undefined;
  const transfer = new Upload(file, {
    endpoint,
    metadata,
    retryDelays: PAUSES_MS,
    removeFingerprintOnSuccess: true,
    storeFingerprintForResuming: isResumed,
    onProgress: onSent,
    onShouldRetry: (error) => mayPass(statusOf(error as DetailedError)),
    onError: (error) => end(apiErrorIn(error as DetailedError)),
  });
  const ended = new Promise<void>((done, fail) => {
    end = fail;
    transfer.options.onSuccess = () => done();
    signal.addEventListener("abort", () => {
      fail(new DOMException("given up", "AbortError"));
      transfer.abort(true).catch(() => undefined); // the server deletes its part later
    });
  });
  if (isResumed) {
    const [begun] = await transfer.findPreviousUploads();
    if (begun) transfer.resumeFromPreviousUpload(begun);
  }
  if (!signal.aborted) transfer.start();
  await ended;
  return transfer.url?.split("/").at(-1) ?? "";
}

const statusOf = (error: DetailedError): number => error.originalResponse?.getStatus() ?? 0;

/** Whether a retry may succeed: no connection, a busy server, or a conflict with an earlier attempt. */
export const mayPass = (status: number): boolean =>
  status === 0 || status === 409 || status === 429 || status >= 500;

function apiErrorIn(error: DetailedError): ApiError {
  const status = statusOf(error);
  if (status === 0) return new ApiError(0, "unreachable", texts.errors.unreachable);
  return apiErrorOfText(status, error.originalResponse?.getBody() ?? "");
}

export function apiErrorOfText(status: number, body: string): ApiError {
  try {
    const problem = JSON.parse(body) as { code?: string; detail?: string; title?: string };
    const labels = problem.detail ?? problem.title ?? texts.errors.unknown;
    return new ApiError(status, problem.code ?? "", labels, problem);
  } catch {
    return new ApiError(status, "", texts.errors.unknown);
  }
}

/** Shorten a file name to the 200 characters that the server accepts, keeping its end. */
export function nameFor(file: Pick<File, "name">): string {
  const letters = [...(file.name.trim() || "file")];
  return letters.length <= 200
    ? letters.join("")
    : `${letters.slice(0, 150).join("")}…${letters.slice(-49).join("")}`;
}
