// Who this page is to the table: what proves that a change comes from it, and the way to log in.

/** Headers that every change must carry; nothing where nobody has to log in. */
export function proof() {
  const token = document.querySelector('meta[name="csrf-token"]')?.content;
  return token ? { "X-CSRF-Token": token } : {};
}

/** Go to the login page if an answer says that nobody is logged in. */
export function mindLogin(answer) {
  if (answer.status !== 401) return;
  location.assign(`/login?next=${encodeURIComponent(location.pathname + location.search)}`);
}
