declare global {
	namespace App {
		interface PageState {
			/** The inspector's content next to a list. */
			selected?: string;
		}
	}
}

export {};
