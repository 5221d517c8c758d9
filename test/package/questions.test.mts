import { expect, it } from 'vitest';

import { itemAt } from '../defined.mts';
import { TABLE } from '../engine/table.mts';

/**
 * What people ask an assistant, and the operation that answers it. Here, the rarer words of a question choose among the
 * texts of the operations: less than a model understands, so what misleads these rules is worth a better text.
 */
const QUESTIONS: Array<[question: string, operation: string]> = [
	['How often do AI answers cite us compared with last month?', 'citedPage.summarize'],
	['What is our share of citations this week?', 'citedPage.summarize'],
	['Which domains get the most citations, and has that changed?', 'citedPage.summarize'],
	['Give me a series of citations for each week of the period', 'citedPage.summarize'],
	['Which pages do AI answers cite on reddit?', 'citedPage.getAll'],
	['Show the cited pages of one platform', 'citedPage.getAll'],
	['Which keywords should we write about next?', 'keyword.getAll'],
	['Add these keywords: green tea, oolong', 'keyword.create'],
	['Which keywords have a similar meaning, so that one article covers them?', 'keyword.getCluster'],
	['Who are our competitors?', 'competitor.getAll'],
	['Which brands do AI answers mention that we do not track as competitors?', 'competitor.getAll'],
	['Start tracking harbour-leaf.example as a competitor', 'competitor.create'],
	['Stop tracking this competitor', 'competitor.delete'],
	['Which sites link to our competitors?', 'backlink.getAll'],
	['Which forum threads are worth a reply?', 'forumOpportunity.getAll'],
	['Save this forum thread: https://forum.example/t/42', 'forumOpportunity.create'],
	['What do people also ask about tea?', 'question.getAll'],
	['Mark this related question as processed', 'question.update'],
	['What content work is planned?', 'action.getAll'],
	['Plan an article about oolong', 'action.create'],
	['Plan to get cited on this page', 'action.create'],
	['Write the article of this action now', 'action.generate'],
	['Tell the search engine that this page has changed', 'indexing.notify'],
	['What does the search engine know about this page?', 'indexing.inspect'],
	['Who is our audience, and in which tone of voice do we write?', 'workspace.get'],
];

const wordsIn = (text: string) =>
	new Set(
		(text.toLowerCase().match(/[a-z]{3,}/g) ?? []).map((word) =>
			word.replace(/ies$/, 'y').replace(/(ing|ed|es|s|e)$/, ''),
		),
	);

const texts = [...TABLE].map(([name, { name: verb, action, description, hint = '' }]) => ({
	name,
	words: wordsIn(`${name.replace('.', ' ')} ${verb} ${action ?? ''} ${description} ${hint}`),
}));

const rarity = (word: string) =>
	Math.log((1 + texts.length) / (1 + texts.filter(({ words }) => words.has(word)).length));

function chosenFor(question: string): string {
	const asked = [...wordsIn(question)];
	const scored = texts.map(({ name, words }) => ({
		name,
		score:
			asked.filter((word) => words.has(word)).reduce((sum, word) => sum + rarity(word), 0) /
			Math.sqrt(words.size),
	}));
	return itemAt(
		scored.sort((a, b) => b.score - a.score),
		0,
	).name;
}

it.each(QUESTIONS)('"%s" leads to %s', (question, operation) => {
	expect(chosenFor(question)).toBe(operation);
});
