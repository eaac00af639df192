// The code of a link follows the #, where no server sees it.
const code = document.getElementById('code');
if (code && location.hash.startsWith('#c=')) {
  code.value = location.hash.slice(3);
  history.replaceState(null, '', location.pathname);
}
if (code && code.value && code.parentElement.className === 'code') code.parentElement.hidden = true;
const field = document.getElementById('passphrase');
const show = document.querySelector('.show');
if (field && show) {
  show.hidden = false;
  show.addEventListener('click', () => { field.type = field.type === 'password' ? 'text' : 'password'; });
}
// Passkeys need a script. It passes the service's options to the browser, and
// returns the browser's response unchanged.
const failed = document.getElementById('passkey-failed');
const send = async (method, path, body) => {
  const answer = await fetch(path, {
    method, headers: { 'Content-Type': 'application/json' }, body: body && JSON.stringify(body),
  });
  if (answer.status === 401 && location.pathname === '/account') location.assign('/sign-in');
  if (answer.status === 403) location.assign('/sign-in?again');
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.status === 204 ? null : answer.json();
};
const attempt = (run) => async (event) => {
  event.preventDefault();
  failed.hidden = true;
  try { await run(event); } catch { failed.hidden = false; }
};
if (failed && window.PublicKeyCredential?.parseRequestOptionsFromJSON) {
  const enter = document.getElementById('passkey');
  if (enter) {
    enter.hidden = false;
    enter.addEventListener('click', attempt(async () => {
      const { pending, options } = await send('POST', '/v1/session/passkey');
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options.publicKey);
      await send('PUT', '/v1/session/passkey', { pending, credential: await navigator.credentials.get({ publicKey }) });
      location.assign(enter.dataset.home);
    }));
  }
  const add = document.getElementById('new-passkey');
  if (add) {
    add.hidden = false;
    add.addEventListener('submit', attempt(async () => {
      const { pending, options } = await send('POST', '/v1/account/passkeys');
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options.publicKey);
      const credential = await navigator.credentials.create({ publicKey });
      await send('PUT', '/v1/account/passkeys', { pending, name: document.getElementById('passkey-name').value, credential });
      location.reload();
    }));
  }
  for (const button of document.querySelectorAll('[data-passkey]')) {
    button.hidden = false;
    button.addEventListener('click', attempt(async () => {
      await send('DELETE', '/v1/account/passkeys/' + button.dataset.passkey);
      location.reload();
    }));
  }
}
