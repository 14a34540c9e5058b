import type { DetailedError } from "tus-js-client";
import { ApiError } from "@/api/errors";
import { texts } from "@/texts";

interface TransferOptions {
  file: Blob;
  onSent: (bytes: number) => void;
  signal: AbortSignal;
}

export interface RoomUpload extends TransferOptions {
  roomId: string;
  kind: "recording" | "attachment";
  name: string;
}

interface TusUpload extends TransferOptions {
  endpoint: string;
  metadata: Record<string, string>;
  /** Whether the upload resumes when the same file is chosen again. */
  isResumable: boolean;
}

const PAUSES_MS = [0, 1000, 3000, 5000, 10_000, 20_000, 30_000];

/** Upload a file to a room and return the id of the recording or attachment that it becomes. */
export const upload = ({ roomId, kind, name, ...sending }: RoomUpload): Promise<string> =>
  uploadTo({
    ...sending,
    endpoint: `/v2/rooms/${roomId}/uploads`,
    metadata: { filename: name, kind },
    isResumable: kind === "recording",
  });

/**
 * Upload a file with tus and return the id of the resource that it becomes. After a lost connection the upload
 * resumes, also in a later visit with the same file. Throws ApiError, or AbortError if `signal` aborts; the server
 * then discards the upload.
 */
export async function uploadTo(upload: TusUpload): Promise<string> {
  const { endpoint, metadata, isResumable: isResumable, file, onSent, signal } = upload;
  const { Upload } = await import("tus-js-client");
  let end: (error: unknown) => void = () => undefined;
  const transfer = new Upload(file, {
    endpoint,
    metadata,
    retryDelays: PAUSES_MS,
    removeFingerprintOnSuccess: true,
    storeFingerprintForResuming: isResumable,
    onProgress: onSent,
    onShouldRetry: (error) => isRetryable(statusOf(error as DetailedError)),
    onError: (error) => end(apiErrorIn(error as DetailedError)),
  });
  const ended = new Promise<void>((done, fail) => {
    end = fail;
    transfer.options.onSuccess = () => done();
    signal.addEventListener("abort", () => {
      fail(new DOMException("aborted", "AbortError"));
      transfer.abort(true).catch(() => undefined); // the server deletes its part later
    });
  });
  if (isResumable) {
    const [begun] = await transfer.findPreviousUploads();
    if (begun) transfer.resumeFromPreviousUpload(begun);
  }
  if (!signal.aborted) transfer.start();
  await ended;
  return transfer.url?.split("/").at(-1) ?? "";
}

const statusOf = (error: DetailedError): number => error.originalResponse?.getStatus() ?? 0;

/** Return whether a retry may succeed: no connection, a busy server, or a conflict with an earlier attempt. */
export const isRetryable = (status: number): boolean =>
  status === 0 || status === 409 || status === 429 || status >= 500;

function apiErrorIn(error: DetailedError): ApiError {
  const status = statusOf(error);
  if (status === 0) return new ApiError(0, "unreachable", texts.errors.unreachable);
  return apiErrorOfText(status, error.originalResponse?.getBody() ?? "");
}

export function apiErrorOfText(status: number, body: string): ApiError {
  try {
    const problem = JSON.parse(body) as { code?: string; detail?: string; title?: string };
    const message = problem.detail ?? problem.title ?? texts.errors.unknown;
    return new ApiError(status, problem.code ?? "", message, problem);
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
