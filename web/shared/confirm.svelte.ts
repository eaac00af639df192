// Actions that require a recent sign-in.
import { api, ask, Problem } from './api';

interface Question {
	answer: (signedIn: boolean) => void;
}

let asked = $state.raw<Question>();

/** The dialog for signing in again, while it is open. */
export const question = (): Question | undefined => asked;

/** Runs an action; if it requires a recent sign-in, asks for that and runs it again. */
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

/** Signs in again with a passphrase, and a code if there is a second factor. */
export async function confirm(passphrase: string, code: string): Promise<void> {
	const body = code ? { passphrase, code } : { passphrase };
	await ask(api.POST('/v1/session/confirm', { body }), { refusedIsSignedOut: false });
}
