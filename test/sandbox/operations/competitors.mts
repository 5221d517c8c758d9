import { itemAt } from '../../defined.mts';
import { notFound, Refusal } from '../errors.mts';
import { present } from '../present.mts';
import type { State } from '../state.mts';
import type { Competitor } from '../types.mts';
import { created, done, now, type Handlers } from './operation.mts';

function byDomain(state: State, domain: string): Competitor | undefined {
	for (const competitor of state.all('competitor')) {
		if (competitor.domain === domain) return competitor;
	}
	return undefined;
}

function trackedCount(state: State): number {
	let tracked = 0;
	for (const { state: standing } of state.all('competitor')) if (standing === 'tracked') tracked++;
	return tracked;
}

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
		const known = byDomain(state, domain);
		if (known?.state === 'tracked') {
			const message = `${domain} is already tracked in this workspace`;
			throw new Refusal(400, 'competitor-already-exists', message);
		}
		if (trackedCount(state) >= state.limits.competitors) {
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
		known.state = 'tracked';
		known.updatedAt = time;
		state.changed('competitor');
		return created(present.competitor(known));
	},
	deleteCompetitor: (state, { id }) => {
		const competitor = state.get('competitor', id);
		if (competitor?.state !== 'tracked') throw notFound('Tracked competitor');
		competitor.state = 'removed';
		competitor.updatedAt = now();
		state.changed('competitor');
		return done;
	},
} satisfies Handlers;
