// What every operation has in common, written once: the parameters, headers and errors
// that the edge of the service gives to each. `make contract` adds them, where an operation
// does not describe them itself.

const methods = ['get', 'put', 'post', 'patch', 'delete'];

/** The errors that operations share, and the operations that can answer them. */
const errors = [
	{ status: '400', response: 'BadRequest', given: hasInput },
	{ status: '401', response: 'Unauthenticated', given: without('Service', 'Files', 'Tracking', 'Webhooks') },
	{ status: '403', response: 'Forbidden', given: without('Service', 'Tracking') },
	{ status: '413', response: 'TooLarge', given: (operation) => 'requestBody' in operation },
	{ status: '429', response: 'RateLimited', given: without('Service', 'Files', 'Tracking') },
	{ status: '500', response: 'InternalError', given: () => true },
	{ status: '503', response: 'Unavailable', given: without('Service') }
];

const takesLanguage = without('Service', 'Files', 'Webhooks');

function without(...tags) {
	return (operation) => !operation.tags.some((tag) => tags.includes(tag));
}

function hasInput(operation, path) {
	return 'requestBody' in operation || [...(path.parameters ?? []), ...(operation.parameters ?? [])].length > 0;
}

const parameter = (name) => ({ $ref: `parameters.yaml#/${name}` });
const header = (name) => ({ $ref: `headers.yaml#/${name}` });
const response = (name) => ({ $ref: `responses.yaml#/${name}` });

function addTo(operation, method, path) {
	const answers = (operation.responses ??= {});
	for (const { status, response: name, given } of errors) {
		if (!(status in answers) && given(operation, path)) answers[status] = response(name);
	}
	if (method === 'get' && isVersioned(answers)) {
		answers['304'] ??= response('NotModified');
		(operation.parameters ??= []).push(parameter('IfNoneMatch'));
	}
	for (const answer of Object.values(answers)) {
		if ('$ref' in answer) continue;
		const ofCaller = operation['x-callers'].length > 0;
		answer.headers = {
			'X-Request-ID': header('RequestId'),
			...(ofCaller && { 'RateLimit-Policy': header('RateLimitPolicy'), RateLimit: header('RateLimit') }),
			...answer.headers
		};
	}
}

/** Reports whether a read has a version, so that an unchanged answer need not be sent again. */
const isVersioned = (answers) => Object.entries(answers).some(([status, { headers }]) => status.startsWith('2') && headers && 'ETag' in headers);

export default function standard() {
	const visited = new WeakSet();
	return {
		id: 'standard',
		preprocessors: {
			oas3: {
				edge: () => ({
					PathItem(path, { location }) {
						if (visited.has(path) || '$ref' in path || location.pointer.startsWith('#/webhooks/')) return;
						visited.add(path);
						const own = methods.filter((method) => method in path);
						for (const method of own) addTo(path[method], method, path);
						if (own.some((method) => takesLanguage(path[method]))) {
							path.parameters = [parameter('AcceptLanguage'), parameter('RequestId'), ...(path.parameters ?? [])];
						}
					}
				})
			}
		}
	};
}
