// Lets the reader call operations with a key, with Swagger UI (swagger-ui.LICENSE.txt,
// Apache 2.0). Calls go to where this page comes from, and nowhere else.
const key = document.getElementById('api-key');
key.form.addEventListener('submit', (event) => event.preventDefault());

// What every operation takes is left out: the browser sends its own language.
const usual = new Set(['Accept-Language', 'X-Request-ID', 'If-None-Match']);
const withoutUsual = () => ({
  wrapComponents: {
    parameterRow: (Row, { React }) => (props) => (usual.has(props.rawParam.get('name')) ? null : React.createElement(Row, props)),
  },
});

// Who has signed in to the console calls with the key all the same, so that what is
// allowed is what the key is allowed.
function withKey(request) {
  request.credentials = 'omit';
  for (const name of usual) delete request.headers[name];
  if (key.value.trim() && new URL(request.url, location.href).origin === location.origin) {
    request.headers.Authorization = `apikey ${key.value.trim()}`;
  }
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
  plugins: [withoutUsual],
  requestInterceptor: withKey,
});
