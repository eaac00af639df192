// Where the screens are.
import { base } from '$app/paths';

export const link = (path = ''): string => `${base}/${path}`;
