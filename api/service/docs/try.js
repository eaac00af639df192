// Lets the reader call operations with a key, with Swagger UI (swagger-ui.LICENSE.txt,
// Apache 2.0). Calls go to where this page comes from, and nowhere else.
const key = document.getElementById('api-key');
key.form.addEventListener('submit', (event) => event.preventDefault());

// Who has signed in to the console calls with the key all the same, so that what is
// allowed is what the key is allowed.
function withKey(request) {
  request.credentials = 'omit';
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
  requestInterceptor: withKey,
});
