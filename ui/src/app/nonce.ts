import { setNonce } from "get-nonce";

/** The nonce that the server put into this page; style sheets created at run time need it. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";

setNonce(nonce);
