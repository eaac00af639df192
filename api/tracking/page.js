const timer = setInterval(async () => {
	if (document.hidden) return;
	try {
		const answer = await fetch(location, { headers: { Accept: 'text/html' } });
		if (!answer.ok) return;
		const now = new DOMParser().parseFromString(await answer.text(), 'text/html');
		for (const part of ['main', '#as-of']) {
			const [old, shown] = [document, now].map((one) => one.querySelector(part));
			if (old && shown && old.outerHTML !== shown.outerHTML) old.replaceWith(shown);
		}
		document.title = now.title;
		if (!now.querySelector('script')) clearInterval(timer);
	} catch {
		// There is no network; the next time there may be.
	}
}, 60000);
