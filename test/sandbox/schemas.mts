import { actionStatuses, actionTypes, platforms } from './types.mts';

/** The JSON schemas of the document: what the service answers with, and what it takes as a body. */

type Schema = Record<string, unknown>;

const text = { type: 'string' };
const filled = { type: 'string', minLength: 1 };
const nullableText = { type: ['string', 'null'] };
const number = { type: 'number' };
const count = { type: 'integer', minimum: 0 };
const time = { type: 'string', format: 'date-time' };
const uuid = { type: 'string', format: 'uuid' };
const webAddress = { type: 'string', format: 'web-address' };
const texts = { type: 'array', items: filled };
const triageStatus = { type: 'string', enum: ['new', 'processed'] };
/** A bare hostname: no scheme, port, path or spaces. */
const hostname = { type: 'string', pattern: '^[^\\s/:?#@.]+(\\.[^\\s/:?#@.]+)+$', maxLength: 253 };

/** An object with exactly these properties, all of them required unless named as optional. */
function exactly(properties: Record<string, Schema>, optional: string[] = []): Schema {
	const required = Object.keys(properties).filter((name) => !optional.includes(name));
	return {
		type: 'object',
		additionalProperties: false,
		properties,
		...(required.length ? { required } : {}),
	};
}

const allOptional = (properties: Record<string, Schema>) =>
	exactly(properties, Object.keys(properties));

export const recordSchemas = {
	Workspace: exactly({
		id: nullableText,
		name: nullableText,
		brandName: nullableText,
		domain: nullableText,
		businessDescription: nullableText,
		targetAudience: nullableText,
		benefits: nullableText,
		toneOfVoice: nullableText,
		industry: nullableText,
		location: nullableText,
		language: nullableText,
	}),
	Keyword: exactly({
		id: text,
		keyword: text,
		searchVolume: number,
		competitionIndex: number,
		opportunityIndex: number,
		compositeScore: number,
		aiScore: number,
		competitorId: nullableText,
		createdAt: time,
	}),
	ClusterKeyword: exactly({
		id: text,
		keyword: text,
		searchVolume: number,
		compositeScore: number,
	}),
	Competitor: exactly({ id: uuid, name: text, domain: hostname, createdAt: time, updatedAt: time }),
	ForumOpportunity: exactly(
		{
			id: text,
			title: text,
			url: text,
			status: triageStatus,
			createdAt: time,
			updatedAt: time,
			competitorId: text,
		},
		['competitorId'],
	),
	Question: exactly(
		{
			id: text,
			question: text,
			status: triageStatus,
			createdAt: time,
			updatedAt: time,
			articleId: text,
		},
		['articleId'],
	),
	Backlink: exactly({
		id: text,
		domainFrom: text,
		urlFrom: text,
		urlTo: text,
		domainFromRank: number,
		backlinkSpamScore: number,
		firstSeen: time,
		status: triageStatus,
		competitorId: nullableText,
	}),
	Category: exactly({ id: text, name: text, color: text, createdAt: time, updatedAt: time }),
	CitedPage: exactly({
		id: uuid,
		url: text,
		domain: hostname,
		title: text,
		isOwnDomain: { type: 'boolean' },
		status: triageStatus,
		firstSeenAt: time,
		lastSeenAt: time,
		citations: count,
		platforms: {
			type: 'array',
			uniqueItems: true,
			items: { type: 'string', enum: [...platforms] },
		},
	}),
	Action: exactly({
		id: text,
		type: { type: 'string', enum: [...actionTypes] },
		title: nullableText,
		shortDescription: nullableText,
		description: nullableText,
		additionalInstructions: nullableText,
		articleId: nullableText,
		backlinkId: nullableText,
		citationId: nullableText,
		competitorId: nullableText,
		slug: nullableText,
		categoryId: nullableText,
		keywordIds: texts,
		fanoutQueryIds: texts,
		status: { type: 'string', enum: [...actionStatuses] },
		position: count,
		createdAt: time,
	}),
	Prompt: exactly({ id: text, prompt: text, archived: { type: 'boolean' } }),
};

const notification = exactly({
	url: text,
	type: { type: 'string', enum: ['URL_UPDATED', 'URL_DELETED'] },
	notifyTime: time,
});

export const answerSchemas = {
	Error: exactly({ type: filled, message: filled }),
	Created: exactly({ count }),
	Notification: exactly({
		urlNotificationMetadata: exactly(
			{ url: text, latestUpdate: notification, latestRemove: notification },
			['latestUpdate', 'latestRemove'],
		),
	}),
	Inspection: exactly({
		inspectionResult: exactly({
			indexStatusResult: exactly({ verdict: text, coverageState: text }),
		}),
	}),
};

/** Bodies. Where the contract gives no field names, these are the sandbox's own decision. */
export const bodySchemas = {
	CreateKeywords: exactly({
		keywords: { type: 'array', minItems: 1, items: { type: 'string', pattern: '\\S' } },
	}),
	CreateCompetitor: exactly({ domain: hostname }),
	CreateForumOpportunity: exactly({ title: filled, url: webAddress, competitorId: filled }, [
		'competitorId',
	]),
	UpdateStatus: exactly({ status: triageStatus }),
	UpdateCategory: exactly({ name: filled }),
	CreateAction: {
		...allOptional({
			type: { type: 'string', enum: [...actionTypes] },
			title: filled,
			shortDescription: text,
			description: text,
			additionalInstructions: text,
			articleId: filled,
			backlinkId: filled,
			citationId: filled,
			competitorId: filled,
			slug: filled,
			categoryId: filled,
			keywordIds: texts,
			fanoutQueryIds: texts,
		}),
		required: ['type'],
	},
	NotifyIndexing: exactly({
		url: webAddress,
		type: { type: 'string', enum: ['URL_UPDATED', 'URL_DELETED'] },
	}),
	InspectUrl: exactly({ url: webAddress }),
};

/** The envelope of every list. */
export const pageOf = (record: keyof typeof recordSchemas): Schema =>
	exactly({
		data: exactly({
			total: count,
			offset: count,
			limit: { type: 'integer', minimum: 1, maximum: 100 },
			count,
			items: { type: 'array', maxItems: 100, items: ref(record) },
		}),
	});

export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
