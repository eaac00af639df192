declare global {
	namespace App {
		interface PageState {
			/** What the inspector shows beside a list. */
			selected?: string;
		}
	}
}

export {};
