import type { IDataObject } from 'n8n-workflow';

import { itemAt } from '../defined.mts';
import type { Sandbox } from '../sandbox/sandbox.mts';
import { judge, nodeOfType, openWorkflow, outputOf, play, pollsOf, succeeded } from './play.mts';
import * as terminal from './terminal.mts';

/**
 * Runs one part of the demo and shows it.
 * @returns whether everything was as it should be
 */
export type Scene = (sandbox: Sandbox) => Promise<boolean>;

export const scenes: Array<{ title: string; play: Scene }> = [
	{ title: 'Your CMS publishes a page, and the search engine is told', play: publishPage },
	{ title: 'AI answers cite a new page, and people ask a new question', play: discover },
	{
		title: 'A bulk triage: 500 backlinks, and in the middle the service says "slow down"',
		play: cleanUp,
	},
];

/** The service answers each change with this status, and does nothing. */
export function spoil(sandbox: Sandbox, status: number): void {
	for (const method of ['POST', 'PATCH', 'DELETE']) {
		sandbox.fault({ match: { method, times: null }, kind: 'status', status });
	}
}

const PAGE = 'https://www.northwind-tea.example/blog/first-flush';
const NEW_PAGE = {
	url: 'https://www.leafjournal.example/ten-teas-worth-a-detour',
	title: 'Ten teas worth a detour',
	citations: 2,
};
const NEW_QUESTION = 'Can you brew green tea with cold water?';
const BULK = 500;
const TOO_MANY = 429;
/** In milliseconds, allowing for an early timer */
const A_SECOND = 990;

async function publishPage(sandbox: Sandbox): Promise<boolean> {
	const file = openWorkflow('examples/index-after-publish.json');
	const webhook = nodeOfType(file, 'n8n-nodes-base.webhook');
	terminal.event(`The CMS calls the webhook: POST /webhook/${String(webhook.parameters.path)}`);
	const run = await play(sandbox, file, webhook, [{ body: { url: PAGE } }]);

	const answer = outputOf(run, nodeOfType(file, 'n8n-nodes-base.respondToWebhook'))[0];
	const requests = sandbox.requests.filter(({ path }) => path === '/v1/gsc/index');
	return judge([
		succeeded(run, file),
		[
			sandbox.state.all('notification', { url: PAGE, type: 'URL_UPDATED' }).length === 1 &&
				requests.length === 1,
			'The search engine has been told about the page, once.',
		],
		[
			Boolean(answer?.notification),
			'The CMS has got the notification of the search engine as its answer.',
		],
	]);
}

async function discover(sandbox: Sandbox): Promise<boolean> {
	const alertFile = openWorkflow('examples/new-cited-page-alert.json');
	const articleFile = openWorkflow('examples/question-to-article.json');
	const pages = pollsOf(sandbox, alertFile);
	const questions = pollsOf(sandbox, articleFile);

	terminal.event(
		'Both triggers poll for the first time: they remember what is there, and start nothing',
	);
	const early = [...(await pages.poll()), ...(await questions.poll())];

	const page = sandbox.discover.citedPage(NEW_PAGE);
	const question = sandbox.discover.question({ question: NEW_QUESTION });
	terminal.event(
		'The service discovers a page that AI answers cite, and a question that people ask:',
	);
	terminal.remark(`  "${page.title}", ${page.url}`);
	terminal.remark(`  "${question.question}"`);

	terminal.event('They poll again: what is new starts the workflow');
	const newPages = await pages.poll();
	const alert = await play(sandbox, alertFile, pages.node, newPages);
	const newQuestions = await questions.poll();
	const article = await play(sandbox, articleFile, questions.node, newQuestions);

	const slack = nodeOfType(alertFile, 'n8n-nodes-base.slack');
	const planned = [...sandbox.state.all('action')];
	return judge([
		[
			early.length === 0,
			'The first polls started nothing, although there were pages and questions.',
		],
		[
			isOnly(newPages, page.id) && isOnly(newQuestions, question.id),
			'The second polls gave the new page and the new question, and nothing else.',
		],
		succeeded(alert, alertFile),
		succeeded(article, articleFile),
		[
			outputOf(alert, slack).some(({ text }) => String(text).includes(page.url)),
			'The alert in Slack names the page.',
		],
		[
			planned.filter(({ type, citationId }) => type === 'get_cited' && citationId === page.id)
				.length === 1,
			'One action is planned for the page: to get the brand onto it.',
		],
		[
			planned.filter(({ type, title }) => type === 'write_article' && title === question.question)
				.length === 1,
			'One article is planned for the question.',
		],
		[
			sandbox.state.get('question', question.id)?.status === 'processed',
			'The question is marked as processed.',
		],
	]);
}

const isOnly = (items: IDataObject[], id: string) => items.length === 1 && items[0]?.id === id;

async function cleanUp(sandbox: Sandbox): Promise<boolean> {
	const file = openWorkflow('test/demo/archive-spam.json');
	const start = nodeOfType(file, 'n8n-nodes-base.manualTrigger');
	const archived = () => [...sandbox.state.all('backlink')].filter(({ archivedAt }) => archivedAt);
	const before = new Set(archived().map(({ id }) => id));
	sandbox.fault({
		match: { method: 'DELETE', nth: BULK / 2 },
		kind: 'status',
		status: TOO_MANY,
		headers: { 'Retry-After': '1' },
	});
	const run = await play(sandbox, file, start, [{}], bulkWatch(sandbox));

	const chosen = outputOf(run, itemAt(file.nodes, 1)).map(({ id }) => id);
	const done = archived().filter(({ id }) => !before.has(id));
	const requests = bulkOf(sandbox);
	const refused = requests.find(({ status }) => status === TOO_MANY);
	const again = requests.findLast(({ path }) => path === refused?.path);
	const waited = (again?.time ?? 0) - (refused?.time ?? 0);
	return judge([
		succeeded(run, file),
		[
			done.length === BULK && done.every(({ id }) => chosen.includes(id)),
			`The ${BULK} backlinks are archived, and no other.`,
		],
		[waited >= A_SECOND, 'The node has waited a second before it sent the refused request again.'],
		[requests.length === BULK + 1, `It has sent no other one again: ${BULK + 1} requests.`],
	]);
}

const bulkOf = (sandbox: Sandbox) => sandbox.requests.filter(({ method }) => method === 'DELETE');

/** Shows the progress of the bulk run, from the service's log. */
function bulkWatch(sandbox: Sandbox): () => void {
	let refused = 0;
	return () => {
		const statuses = bulkOf(sandbox).map(({ status }) => status);
		if (statuses.length === 0) return;
		const place = statuses.indexOf(TOO_MANY, refused) + 1;
		if (place > 0) {
			refused = place;
			terminal.warning(
				`Request ${place} is refused: 429, Retry-After: 1. The node waits a second, then goes on.`,
			);
		}
		const done = statuses.filter((status) => status !== null && status < 300);
		terminal.progress(done.length, BULK);
	};
}
