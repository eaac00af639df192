// The code of a link stands behind the #, where no server sees it.
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
