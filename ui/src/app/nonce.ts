import { setNonce } from "get-nonce";

/** The nonce that the server put into this page: style sheets made at run time have to bear it. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";

setNonce(nonce);
