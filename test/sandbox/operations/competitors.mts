import { itemAt } from '../../defined.mts';
import { notFound, Refusal } from '../errors.mts';
import { present } from '../present.mts';
import { created, done, now, type Handlers } from './operation.mts';

/** "old-mill.example" becomes "Old Mill". */
function nameOf(domain: string): string {
	const words = itemAt(domain.replace(/^www\./, '').split('.'), 0);
	return words
		.split('-')
		.map((word) => word.charAt(0).toUpperCase() + word.slice(1))
		.join(' ');
}

export const competitorHandlers = {
	createCompetitor: (state, { body }) => {
		const domain = (body as { domain: string }).domain.toLowerCase();
		const [known] = state.all('competitor', { domain });
		if (known?.state === 'tracked') {
			const message = `${domain} is already tracked in this workspace`;
			throw new Refusal(400, 'competitor-already-exists', message);
		}
		if (state.all('competitor', { state: 'tracked' }).length >= state.limits.competitors) {
			const message = `The plan allows ${state.limits.competitors} competitors`;
			throw new Refusal(400, 'competitor-limit-exceeded', message);
		}
		const time = now();
		if (!known) {
			const fields = { name: nameOf(domain), domain, createdAt: time, updatedAt: time };
			return created(
				present.competitor(state.add('competitor', { ...fields, state: 'tracked', mentions: 0 })),
			);
		}
		// Discovered or removed: the record stays the same, with everything attributed to it.
		const changes = { state: 'tracked', updatedAt: time } as const;
		return created(present.competitor(itemAt(state.update('competitor', changes, known.id), 0)));
	},
	deleteCompetitor: (state, { id }) => {
		if (state.get('competitor', id)?.state !== 'tracked') throw notFound('Tracked competitor');
		state.update('competitor', { state: 'removed', updatedAt: now() }, id);
		return done;
	},
} satisfies Handlers;
