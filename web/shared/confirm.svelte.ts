// What the service does only for people who have signed in a moment ago.
import { api, ask, Problem } from './api';

interface Question {
	answer: (signedIn: boolean) => void;
}

let asked = $state.raw<Question>();

/** The question whether somebody is still who signed in, while it is asked. */
export const question = (): Question | undefined => asked;

/** Does something; if that takes a fresh sign-in, asks for it and does it then. */
export async function confirmed<Result>(act: () => Promise<Result>): Promise<Result> {
	try {
		return await act();
	} catch (error) {
		if (!(error instanceof Problem) || error.reason !== 'REAUTHENTICATION_NEEDED') throw error;
		if (!(await signInAgain())) throw error;
		return act();
	}
}

function signInAgain(): Promise<boolean> {
	return new Promise((resolve) => {
		asked = {
			answer: (signedIn) => {
				asked = undefined;
				resolve(signedIn);
			}
		};
	});
}

/** Signs in again with a passphrase, and a code where there is a second factor. */
export async function confirm(passphrase: string, code: string): Promise<void> {
	const body = code ? { passphrase, code } : { passphrase };
	await ask(api.POST('/v1/session/confirm', { body }), { refusedIsSignedOut: false });
}
