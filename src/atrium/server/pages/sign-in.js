// The sign-in page. Tokens come behind the `#` of a link, which no server sees; they are taken out of the address bar at
// once, and nothing is done with them before a button is pressed.
"use strict";

const PROBLEMS = {
  oidc_not_offered: "Single sign-on is not set up on this server.",
  oidc_away: "The sign-in provider cannot be reached just now. Try again in a moment, or sign in another way.",
  oidc_denied: "The sign-in was cancelled at the provider.",
  oidc_stale: "That sign-in took too long or was begun in another browser. Please start again.",
  oidc_not_vouched: "The provider's answer could not be verified. Please start again.",
  oidc_unverified: "The provider has not verified your e-mail address, so no account can be found by it.",
  oidc_linked: "Your e-mail address belongs to an account that is linked to another identity at the provider.",
  oidc_no_account: "There is no account for your e-mail address here. Ask an administrator for an invitation.",
  oidc_deactivated: "Your account is deactivated. Ask an administrator.",
};
const byId = (id) => document.getElementById(id);
const asked = new URLSearchParams(location.search);
const given = new URLSearchParams(location.hash.slice(1));
const token = {
  link: given.get("token") || asked.get("token"), invitation: given.get("invitation"), reset: given.get("reset"),
};
const returnTo = asked.get("return_to");

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
    throw new Error("The server cannot be reached. Try again in a moment.");
  }
  const body = answer.status === 204 ? null : await answer.json().catch(() => null);
  if (!answer.ok) throw Object.assign(new Error(explain(answer, body)), { status: answer.status });
  return body;
}

function explain(answer, problem) {
  switch (problem && problem.code) {
    case "sign_in_refused": return "The address or the password is wrong.";
    case "too_many_attempts": return `Too many attempts. Try again in ${wait(answer.headers.get("Retry-After"))}, or use a link by mail.`;
    case "link_refused": return "This link was used already, has expired, or is not complete. Ask for a new one.";
    case "invitation_not_found": return "This invitation was used already or has expired. Ask for a new one.";
    case "account_exists": return "The invited address has an account already. Sign in with it, then open the invitation again.";
    default: return (problem && problem.detail) || "Something went wrong. Try again in a moment.";
  }
}

function wait(seconds) {
  const minutes = Math.ceil(Number(seconds || 60) / 60);
  return Number(seconds) < 60 ? `${seconds} seconds` : minutes === 1 ? "a minute" : `${minutes} minutes`;
}

function say(text, trouble) {
  const notice = byId("notice");
  notice.textContent = text;
  notice.classList.toggle("trouble", Boolean(trouble));
  notice.setAttribute("role", trouble ? "alert" : "status");
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

// One request at a time; what comes of it is said where everybody looks, also by screen readers.
async function act(button, work) {
  button.disabled = true;
  say("");
  try {
    await work();
  } catch (error) {
    say(error.message, true);
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

async function enter(said) {
  if (isLocal(returnTo)) return location.assign(returnTo);
  showProfile(await call("GET", "/v1/me/profile"), "signed-in");
  return say(said || "");
}

onSubmit("password", async (fields, form) => {
  await call("POST", "/v1/sessions", fields);
  form.reset();
  await enter();
});
onSubmit("link", async () => {
  await call("POST", "/v1/sessions/link", { token: token.link });
  await enter();
});
onSubmit("invitation", async (fields) => {
  await call("POST", "/v1/invitations/accept", { token: token.invitation, ...fields });
  await enter("You have joined.");
});
onSubmit("joining", async () => {
  const profile = await call("GET", "/v1/me/profile");
  await call("POST", "/v1/invitations/accept", { token: token.invitation, name: profile.name });
  await enter("You have joined.");
});
onSubmit("reset", async (fields) => {
  await call("POST", "/v1/password-resets/confirm", { token: token.reset, ...fields });
  await enter("Your new password is set.");
});

function onMail(id, path) {
  byId(id).addEventListener("click", () => act(byId(id), async () => {
    const email = byId("email");
    if (!email.reportValidity()) return;
    await call("POST", path, { email: email.value });
    say(`If ${email.value} has an account, a mail is on its way. Its link works for half an hour.`);
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
    say("You are signed out.");
  }));
}

// The page does without an answer: a password and a link are always offered.
async function offer() {
  const { oidc } = await call("GET", "/v1/sign-in/methods").catch(() => ({}));
  if (!oidc) return;
  byId("oidc").textContent = `Continue with ${oidc.name}`;
  byId("oidc").href = isLocal(returnTo) ? `${oidc.start}?return_to=${encodeURIComponent(returnTo)}` : oidc.start;
  byId("oidc").hidden = false;
}

async function start() {
  if (location.hash || asked.has("token") || asked.has("problem")) {
    history.replaceState(null, "", isLocal(returnTo) ? `/sign-in?return_to=${encodeURIComponent(returnTo)}` : "/sign-in");
  }
  const offered = offer();
  if (token.link) return show("link");
  if (token.reset) return show("reset");
  const profile = await call("GET", "/v1/me/profile").catch(() => null);
  if (token.invitation) return profile ? showProfile(profile, "joining") : show("invitation");
  await offered;
  return profile ? showProfile(profile, "signed-in") : show("password");
}

const problem = asked.get("problem");
start().catch((error) => { show("password"); say(error.message, true); }).then(() => {
  if (problem) say(Object.hasOwn(PROBLEMS, problem) ? PROBLEMS[problem] : "The sign-in did not work. Please start again.", true);
});
addEventListener("hashchange", () => location.reload());
