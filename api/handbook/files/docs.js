// Improvements of the pages with JavaScript. They work without it.

// A link to the former single page of the contract.
const former = location.hash.match(/^#tag\/[^/]+\/operation\/(\w+)$/);
if (former && location.pathname === '/docs') location.replace(`/docs/search?q=${former[1]}`);

// Stores the reader's choice, for other pages of this tab.
function keep(name, value) {
  try {
    sessionStorage.setItem(name, value);
  } catch {
    // A browser that stores nothing forgets the choice with the page.
  }
}

function kept(name) {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

const onlyKeys = document.getElementById('only-keys');
if (onlyKeys) {
  onlyKeys.checked = kept('only-keys') === 'yes';
  onlyKeys.addEventListener('change', () => keep('only-keys', onlyKeys.checked ? 'yes' : 'no'));
}

function choose(language) {
  for (const tab of document.querySelectorAll(`.tabs input[value="${CSS.escape(language)}"]`)) tab.checked = true;
}

if (kept('language')) choose(kept('language'));
for (const tab of document.querySelectorAll('.tabs input')) {
  tab.addEventListener('change', () => {
    keep('language', tab.value);
    choose(tab.value);
  });
}

for (const code of document.querySelectorAll('pre > code')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = 'Copy'), 2000);
  });
  if (navigator.clipboard) code.before(button);
}

// The slash leads to the search, as on many sites.
document.addEventListener('keydown', (event) => {
  const typing = event.target.closest('input, textarea, select');
  if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  document.getElementById('q')?.focus();
});
