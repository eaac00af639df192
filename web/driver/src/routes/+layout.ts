// A static app: the service serves it as files, and the phone does the rest.
export const ssr = false;
export const prerender = false;
export const trailingSlash = 'never';
