import { queryOptions } from "@tanstack/react-query";
import { codeKey } from "@/model/queryKeys";
import type { Token } from "./token";

/** The longest time that a block may take; then it stays plain. */
const MAX_MS = 2000;

let worker: Worker | null = null;
let last: Promise<unknown> = Promise.resolve();

/** Return the tokens of code in a language of highlight.js. */
export const tokensOfCode = (language: string, code: string) =>
  queryOptions({
    queryKey: codeKey(language, code),
    staleTime: Infinity,
    networkMode: "always",
    retry: false,
    structuralSharing: false,
    queryFn: (): Promise<Token[]> => {
      const answer = last.then(() => highlightAsync(language, code));
      last = answer.catch(() => undefined); // one block at a time, so that the limit is its own
      return answer;
    },
  });

function highlightAsync(language: string, code: string): Promise<Token[]> {
  worker ??= new Worker(new URL("./highlight.worker.ts", import.meta.url), { type: "module" });
  const current = worker;
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout>;
    const stop = () => {
      current.terminate();
      worker = null;
    };
    current.onerror = () => {
      stop();
      reject(new Error("The highlighter did not load"));
    };
    current.onmessage = ({ data }: MessageEvent<"loaded" | Token[] | null>) => {
      if (data === "loaded") {
        timer = setTimeout(() => {
          stop();
          resolve([[code, null]]);
        }, MAX_MS);
        return;
      }
      clearTimeout(timer);
      if (data) resolve(data);
      else reject(new Error("The grammar did not load"));
    };
    current.postMessage({ language, code });
  });
}
