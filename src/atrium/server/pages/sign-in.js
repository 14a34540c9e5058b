// The sign-in page. A link holds its token after the `#`, which browsers send to no server. The page removes the token
// from the address bar immediately, keeps it in the history entry for a reload, and uses it only when the user presses
// a button.
"use strict";

const PROBLEMS = {
  oidc_not_offered: "Single sign-on is not set up on this server.",
  oidc_away: "The sign-in provider is unavailable. Try again in a moment, or sign in another way.",
  oidc_denied: "The sign-in was canceled at the provider.",
  oidc_stale: "The sign-in took too long or was started in another browser. Try again.",
  oidc_not_vouched: "The provider's answer could not be verified. Try again.",
  oidc_unverified: "The provider has not verified your email address, so Atrium cannot use it to find your account.",
  oidc_linked: "Your email address belongs to an account that is linked to another identity at the provider.",
  oidc_no_account: "No account uses your email address. Ask an administrator for an invitation.",
  oidc_deactivated: "Your account is deactivated. Contact an administrator.",
};
const byId = (id) => document.getElementById(id);
const query = new URLSearchParams(location.search);
const fragment = new URLSearchParams(location.hash.slice(1));
const brought = {
  link: fragment.get("token") || query.get("token"), invitation: fragment.get("invitation"),
  reset: fragment.get("reset"),
};
const stored = history.state && history.state.token;
const token = Object.values(brought).some(Boolean) || !stored ? brought : stored;
const returnTo = query.get("return_to");

async function call(method, path, content) {
  const request = { method, credentials: "same-origin", headers: {} };
  if (content !== undefined) {
    request.headers["Content-Type"] = "application/json";
    request.body = JSON.stringify({ content });
  }
  let answer;
  try {
    answer = await fetch(path, request);
  } catch {
    throw new Error("Could not connect to the server. Try again in a moment.");
  }
  const body = answer.status === 204 ? null : await answer.json().catch(() => null);
  if (!answer.ok) throw Object.assign(new Error(explain(answer, body)), { status: answer.status, code: body && body.code });
  return body;
}

function explain(answer, problem) {
  switch (problem && problem.code) {
    case "sign_in_refused": return "Incorrect email address or password.";
    case "too_many_attempts": return `Too many attempts. Try again in ${wait(answer.headers.get("Retry-After"))}, or sign in with an emailed link.`;
    case "link_refused": return "This link has already been used, has expired or is incomplete. Request a new one.";
    case "invitation_not_found": return "This invitation has already been used or has expired. Ask for a new one.";
    case "account_exists": return "The invited address already has an account. Sign in to it, then open the invitation again.";
    default: return (problem && problem.detail) || "Something went wrong. Try again in a moment.";
  }
}

function wait(seconds) {
  const minutes = Math.ceil(Number(seconds || 60) / 60);
  return Number(seconds) < 60 ? `${seconds} seconds` : minutes === 1 ? "a minute" : `${minutes} minutes`;
}

function showNotice(text, isError) {
  const notice = byId("notice");
  notice.textContent = text;
  notice.classList.toggle("error", Boolean(isError));
  notice.setAttribute("role", isError ? "alert" : "status");
  notice.hidden = !text;
}

function show(id) {
  for (const section of document.querySelectorAll("main > section")) section.hidden = section.id !== id;
  document.title = `${byId(id).querySelector("h1").textContent} · Atrium`;
  const first = byId(id).querySelector("input");
  if (first) first.focus();
}

function showProfile(profile, id) {
  for (const who of document.querySelectorAll(".who")) who.textContent = profile.name;
  for (const email of document.querySelectorAll(".email")) email.textContent = profile.email || "";
  show(id);
}

// One request at a time; the notice shows the result, and screen readers read it.
async function act(button, work) {
  button.disabled = true;
  showNotice("");
  try {
    await work();
  } catch (error) {
    showNotice(error.message, true);
  } finally {
    button.disabled = false;
  }
}

function onSubmit(id, work) {
  const form = byId(id).querySelector("form");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    act(form.querySelector("button[type=submit]"), () => work(Object.fromEntries(new FormData(form)), form));
  });
}

function isLocal(path) {
  return /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(path || "");
}

async function enter(notice) {
  history.replaceState(null, "");
  if (isLocal(returnTo)) return location.assign(returnTo);
  showProfile(await call("GET", "/v1/me/profile"), "signed-in");
  return showNotice(notice || "");
}

onSubmit("password", async (fields, form) => {
  await call("POST", "/v1/sessions", fields);
  form.reset();
  await enter();
});
// A link that was used is of no more use: the page offers to request another.
async function useLink(path, content) {
  await call("POST", path, content).catch((error) => {
    if (error.code === "link_refused") {
      history.replaceState(null, "");
      show("password");
    }
    throw error;
  });
}

onSubmit("link", async () => {
  await useLink("/v1/sessions/link", { token: token.link });
  await enter();
});
onSubmit("invitation", async (fields) => {
  await call("POST", "/v1/invitations/accept", { token: token.invitation, ...fields });
  await enter("You've joined.");
});
onSubmit("joining", async () => {
  const profile = await call("GET", "/v1/me/profile");
  await call("POST", "/v1/invitations/accept", { token: token.invitation, name: profile.name });
  await enter("You've joined.");
});
onSubmit("reset", async (fields) => {
  await useLink("/v1/password-resets/confirm", { token: token.reset, ...fields });
  await enter("Your new password is set.");
});

let offered = Promise.resolve();
let sendsMail = true;
function onMail(id, path) {
  byId(id).addEventListener("click", () => act(byId(id), async () => {
    const email = byId("email");
    if (!email.reportValidity()) return;
    await call("POST", path, { email: email.value });
    await offered;
    showNotice(sendsMail
      ? `If ${email.value} has an account, we've sent an email. Its link works for 30 minutes.`
      : `This server doesn't send email. If ${email.value} has an account, ask an administrator for the link. It works for 30 minutes; on the server, “atrium mail” shows it.`);
  }));
}
onMail("mail-link", "/v1/sign-in-links");
onMail("forgot", "/v1/password-resets");

for (const button of document.querySelectorAll(".sign-out")) {
  button.addEventListener("click", () => act(button, async () => {
    await call("DELETE", "/v1/sessions/current").catch((error) => {
      if (error.status !== 401) throw error;
    });
    show(token.invitation ? "invitation" : "password");
    showNotice("You've signed out.");
  }));
}

// The page has the same address without a token, so the browser would keep it.
for (const link of document.querySelectorAll('a[href="/sign-in"]')) {
  link.addEventListener("click", () => history.replaceState(null, ""));
}

// The page works without an answer: it always offers a password and a link.
async function offer() {
  const { oidc, mail_server } = await call("GET", "/v1/sign-in/methods").catch(() => ({}));
  sendsMail = mail_server !== false;
  if (!sendsMail) byId("mail-link").textContent = "Request a sign-in link";
  if (!oidc) return;
  byId("oidc").textContent = `Continue with ${oidc.name}`;
  byId("oidc").href = isLocal(returnTo) ? `${oidc.start}?return_to=${encodeURIComponent(returnTo)}` : oidc.start;
  byId("oidc").hidden = false;
}

async function start() {
  if (location.hash || query.has("token") || query.has("problem")) {
    history.replaceState({ token }, "", isLocal(returnTo) ? `/sign-in?return_to=${encodeURIComponent(returnTo)}` : "/sign-in");
  }
  offered = offer();
  if (token.link) return show("link");
  if (token.reset) return show("reset");
  const profile = await call("GET", "/v1/me/profile").catch(() => null);
  if (token.invitation) return profile ? showProfile(profile, "joining") : show("invitation");
  await offered;
  return profile ? showProfile(profile, "signed-in") : show("password");
}

const problem = query.get("problem");
start().catch((error) => { show("password"); showNotice(error.message, true); }).then(() => {
  if (problem) showNotice(Object.hasOwn(PROBLEMS, problem) ? PROBLEMS[problem] : "The sign-in failed. Try again.", true);
});
addEventListener("hashchange", () => location.reload());
