// Lets the reader call operations with a key, with Swagger UI
// (swagger-ui.LICENSE.txt, Apache 2.0). Calls go only to the origin of this
// page.
const key = document.getElementById('api-key');
key.form.addEventListener('submit', (event) => event.preventDefault());

// The key stays in this tab until it is closed, so that opening another page
// loses nothing.
const stored = 'waybill-api-key';
try {
  key.value = sessionStorage.getItem(stored) ?? '';
  key.addEventListener('input', () => {
    if (key.value.trim()) sessionStorage.setItem(stored, key.value.trim());
    else sessionStorage.removeItem(stored);
  });
} catch {
  // A browser that stores nothing forgets the key with the page.
}

// Hides parameters of every operation: the browser sends its own language.
const usual = new Set(['Accept-Language', 'X-Request-ID', 'If-None-Match']);
const withoutUsual = () => ({
  wrapComponents: {
    parameterRow: (Row, { React }) => (props) => (usual.has(props.rawParam.get('name')) ? null : React.createElement(Row, props)),
  },
});

// An example of a parameter that may be left out is only mentioned. In its field it would be
// sent, and filter everything away.
function onlyMentioned(parameter) {
  if (!parameter || parameter.required || parameter.$ref) return;
  const example = parameter.example ?? parameter.schema?.example;
  delete parameter.example;
  delete parameter.examples;
  if (parameter.schema && !parameter.schema.$ref) {
    const { example: _, default: usually, ...rest } = parameter.schema;
    parameter.schema = rest;
    if (usually !== undefined) parameter.description = `${parameter.description ?? ''}\n\nDefault: \`${usually}\``;
  }
  if (example !== undefined) parameter.description = `${parameter.description ?? ''}\n\nFor example \`${example}\``;
}

// The examples play on 2 March 2026. Here they play tomorrow, where the reader is.
const now = new Date();
const later = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate() + 1) - Date.UTC(2026, 2, 2);
const onItsDay = (text) =>
  text.replace(/\b20\d\d-\d\d-\d\d(?=T|\b)/g, (day) => new Date(Date.parse(day) + later).toISOString().slice(0, 10));

function moved(value) {
  if (typeof value === 'string') return onItsDay(value);
  if (Array.isArray(value)) return value.map(moved);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, moved(member)]));
}

function moveExamples(operation) {
  for (const parameter of operation.parameters ?? []) {
    if (parameter.example !== undefined) parameter.example = moved(parameter.example);
  }
  for (const content of Object.values(operation.requestBody?.content ?? {})) {
    if (content.examples) content.examples = moved(content.examples);
  }
}

function withoutOptionalExamples(contract) {
  Object.values(contract.components?.parameters ?? {}).forEach(onlyMentioned);
  for (const path of Object.values(contract.paths ?? {})) {
    path.parameters?.forEach(onlyMentioned);
    for (const operation of Object.values(path)) {
      operation?.parameters?.forEach?.(onlyMentioned);
      moveExamples(operation ?? {});
    }
  }
  return contract;
}

const prefilledSparsely = () => ({
  statePlugins: {
    spec: { wrapActions: { updateJsonSpec: (update) => (contract) => update(withoutOptionalExamples(structuredClone(contract))) } },
  },
});

// Users signed in to the console still call with the key, so that the key's
// permissions apply.
function withKey(request) {
  request.credentials = 'omit';
  for (const name of usual) delete request.headers[name];
  const here = new URL(request.url, location.href).origin === location.origin;
  if (key.value.trim() && here) request.headers.Authorization = `apikey ${key.value.trim()}`;
  return request;
}

SwaggerUIBundle({
  url: '/openapi.yaml',
  dom_id: '#contract',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: -1,
  validatorUrl: null,
  // The displayed command is for pasting elsewhere, and must not reveal the
  // key.
  showMutatedRequest: false,
  plugins: [withoutUsual, prefilledSparsely],
  requestInterceptor: withKey,
});
