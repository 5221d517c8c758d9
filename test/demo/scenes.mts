import type { IDataObject, IRun } from 'n8n-workflow';

import type { Sandbox } from '../sandbox/sandbox.mts';
import { openWorkflow, outputOf } from './play.mts';

/** What must be true at the end of a scene, and whether it is. */
type Check = [holds: boolean, text: string];

const SITE = 'https://www.northwind-tea.example/';
const PAGE = `${SITE}blog/first-flush`;
const NEW_PAGE = {
	url: 'https://www.harbour-leaf.example/first-flush-explained',
	title: 'First flush, explained',
	citations: 2,
};
const NEW_QUESTION = 'Can you brew green tea with cold water?';
const BULK = 500;
const TOO_MANY = 429;
/** In milliseconds, allowing for an early timer */
const A_SECOND = 990;

const happens = (text: string) => console.log(`\n   > ${text}`);

/** Whether a workflow ran to its end, with its error if it did not. */
const succeeded = ({ status, data }: IRun, what: string): Check =>
	status === 'success'
		? [true, `The workflow ${what} has succeeded.`]
		: [false, `The workflow ${what} has failed: ${data.resultData.error?.message}`];

const isOnly = (items: IDataObject[], id: string) => items.length === 1 && items[0]?.id === id;

const SCENES: Array<{ title: string; play: (sandbox: Sandbox) => Promise<Check[]> }> = [
	{
		title: 'Your CMS publishes a page, and the search engine is told',
		async play(sandbox) {
			const workflow = openWorkflow(sandbox, 'examples/index-after-publish.json', SITE);
			happens('The CMS calls the webhook');
			const run = await workflow.run('Page published', [{ body: { url: PAGE } }]);
			const told = sandbox.state.all('notification', { url: PAGE, type: 'URL_UPDATED' });
			const requests = sandbox.requests.filter(({ path }) => path === '/v1/gsc/index');
			const [answer] = outputOf(run, 'Notify as updated');
			return [
				succeeded(run, 'of the webhook'),
				[told.length === 1 && requests.length === 1, 'The search engine was told once.'],
				[
					JSON.stringify(answer).includes('urlNotificationMetadata'),
					'The workflow has the answer of the search engine.',
				],
			];
		},
	},
	{
		title: 'AI answers cite a competitor, and people ask a new question',
		async play(sandbox) {
			const { discover, state } = sandbox;
			const alerts = openWorkflow(sandbox, 'examples/competitor-cited-alert.json');
			const articles = openWorkflow(sandbox, 'examples/question-to-article.json');
			const pollPages = alerts.pollsOf('New cited page');
			const pollQuestions = articles.pollsOf('New question');
			happens('Both triggers poll for the first time, and remember what is there');
			const early = [...(await pollPages()), ...(await pollQuestions())];

			const page = discover.citedPage(NEW_PAGE);
			const question = discover.question({ question: NEW_QUESTION });
			happens(`The service finds "${page.title}" and "${question.question}", and they poll again`);
			const pages = await pollPages();
			const alert = await alerts.run('New cited page', pages);
			const questions = await pollQuestions();
			const article = await articles.run('New question', questions);

			const slack = outputOf(alert, 'Alert in Slack');
			const written = state.all('article', { title: NEW_QUESTION });
			return [
				[early.length === 0, 'The first checks started nothing.'],
				[
					isOnly(pages, page.id) && isOnly(questions, question.id),
					'The second polls gave the new page and the new question, and nothing else.',
				],
				succeeded(alert, 'of the page'),
				succeeded(article, 'of the question'),
				[slack.some(({ text }) => String(text).includes(page.url)), 'The alert names the page.'],
				[written.length === 1, 'A person ticks the question, and one article is written.'],
				[
					state.get('question', question.id)?.status === 'processed',
					'The question is marked as processed.',
				],
			];
		},
	},
	{
		title: 'Archiving 500 backlinks while the service asks to slow down',
		async play(sandbox) {
			const workflow = openWorkflow(sandbox, 'test/demo/archive-spam.json');
			const archived = () => sandbox.state.all('backlink').filter(({ archivedAt }) => archivedAt);
			const before = new Set(archived().map(({ id }) => id));
			sandbox.fault({
				match: { method: 'DELETE', nth: BULK / 2 },
				kind: 'status',
				status: TOO_MANY,
				headers: { 'Retry-After': '1' },
			});
			const run = await workflow.run('Start by hand', [{}]);

			const chosen = outputOf(run, 'Get the most spammy').map(({ id }) => id);
			const done = archived().filter(({ id }) => !before.has(id));
			const requests = sandbox.requests.filter(({ method }) => method === 'DELETE');
			const refused = requests.find(({ status }) => status === TOO_MANY);
			const again = requests.findLast(({ path }) => path === refused?.path);
			const waited = (again?.time ?? 0) - (refused?.time ?? 0);
			return [
				succeeded(run, 'of the backlinks'),
				[
					done.length === BULK && done.every(({ id }) => chosen.includes(id)),
					`The ${BULK} backlinks are archived, and no other.`,
				],
				[waited >= A_SECOND, `After request ${refused?.n}, which was refused, the node waited.`],
				[requests.length === BULK + 1, `It sent no other one again: ${BULK + 1} requests.`],
			];
		},
	},
];

/**
 * Plays all scenes and prints them.
 * @returns whether everything was as it should be
 */
export async function playScenes(sandbox: Sandbox): Promise<boolean> {
	let isGood = true;
	for (const [index, { title, play }] of SCENES.entries()) {
		console.log(`\n\n${index + 1}. ${title}`);
		const checks = await play(sandbox);
		console.log();
		for (const [holds, text] of checks) console.log(`   ${holds ? '✓' : '✗'} ${text}`);
		isGood &&= checks.every(([holds]) => holds);
	}
	return isGood;
}
