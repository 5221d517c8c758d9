import {
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
	NodeConnectionTypes,
	NodeOperationError,
} from 'n8n-workflow';

import { connect } from '../shared/request/transport';
import { triggerProperties } from './parameters';
import { pollError } from './errors';
import { poll, type PollTools, sample } from './poll';
import { EVENT_NAMES, EVENTS } from './events';
import { isPaused, oneAtATime, rememberPause } from './pollLock';
import { leavesRecordsOut, triggerSettingsIn } from './settings';
import { workspaceOf } from './workspaces';

const RECORDS = new Intl.ListFormat('en').format(EVENT_NAMES.map((event) => EVENTS[event].plural));

const SUBTITLES = Object.fromEntries(EVENT_NAMES.map((event) => [event, EVENTS[event].name]));

const WHILE_BUILDING =
	"<b>While building your workflow</b>, click 'Fetch Test Event': it shows up to five of your real records of each event. They count as not seen yet.<br /><br />";
const CHECK =
	'a check that finds new records starts the workflow once, with one item for each of them. You see these executions in the <a data-key="executions">executions list</a>, not here.';

/**
 * How long the service may refuse everything, in milliseconds: as long as a limit by the minute can. Less than in an execution,
 * because the next poll comes anyway.
 */
const PATIENCE = 60_000;

/** How long n8n waits for a poll, in milliseconds, in versions without `getPollBudgetMs`. */
const DEFAULT_BUDGET = 300_000;

/** The part of the budget to use, so that n8n gets the result in time. */
const BUDGET_SHARE = 0.8;

export class SearchVisibilityTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Search Visibility Trigger',
		name: 'searchVisibilityTrigger',
		icon: {
			light: 'file:../../icons/search-visibility.svg',
			dark: 'file:../../icons/search-visibility.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: `={{ $parameter["events"].length === 1 ? ${JSON.stringify(SUBTITLES)}[$parameter["events"][0]] : $parameter["events"].length + " events" }}`,
		// The nodes panel shows this text for both nodes
		description: `Starts the workflow for new ${RECORDS}. Also reports your share, plans content, and notifies search engines.`,
		defaults: { name: 'Search Visibility Trigger' },
		polling: true,
		activationMessage:
			"The first check only remembers which records already exist, unless 'Include Existing Records' is on. The next new record starts the workflow.",
		triggerPanel: {
			header: '',
			executionsHelp: {
				inactive: `${WHILE_BUILDING}<b>Once you publish it</b>, the first check only remembers which records already exist. After that, ${CHECK}`,
				active: `${WHILE_BUILDING}<b>Your workflow also starts by itself</b>, because it is published: ${CHECK}`,
			},
			activationHint: {
				inactive:
					'Shows up to five real records of each event. Publish the workflow to have new records start it.',
				active:
					'Shows up to five real records of each event. The next new record also starts the workflow by itself.',
			},
		},
		builderHint: {
			searchHint:
				'Emits each new record once, with the field "event" that names its kind. No Remove Duplicates node is needed behind it.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-search-visibility.searchVisibility',
					relationHint: 'Acts on the records, such as planning content or marking a question',
				},
			],
		},
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'searchVisibilityApi', required: true }],
		properties: triggerProperties,
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		const settings = triggerSettingsIn(this);
		const isTest = this.getMode() === 'manual';
		const { id, credentials } = this.getNode();
		const nodeKey = JSON.stringify([this.getWorkflow().id, id, credentials]);
		const budget = this.getPollBudgetMs?.() ?? DEFAULT_BUDGET;
		try {
			const records = isTest
				? await sample(settings, await toolsFor(this, budget))
				: await oneAtATime(nodeKey, budget, async (signal) => {
						const tools = await toolsFor(this, budget, signal);
						if (isPaused(this, tools.credentialHash)) return null;
						return await poll(settings, tools).catch((error: unknown) => {
							rememberPause(this, tools.credentialHash, error);
							throw error;
						});
					});
			if (records && records.length > 0) return [records.map((json) => ({ json }))];
			if (!isTest) return null;
		} catch (error) {
			throw pollError(this.getNode(), error);
		}
		throw new NodeOperationError(this.getNode(), 'No matching records yet', {
			description: NOTHING_TO_SHOW + (leavesRecordsOut(settings) ? WITHOUT_FILTERS : ''),
			level: 'info',
		});
	}
}

const NOTHING_TO_SHOW =
	'Nothing is wrong with your settings. The test looked at the first records of each list, at most 100. None of them matches, or there are none yet. You can publish the workflow: it starts when a matching record appears.';

const WITHOUT_FILTERS =
	' To see test data now, remove the filters and options that leave records out, and add them again later.';

/** @param signal fires when n8n no longer waits for the poll. Nothing may be stored then, because n8n would not emit the records */
async function toolsFor(
	context: IPollFunctions,
	budget: number,
	signal?: AbortSignal,
): Promise<PollTools> {
	const store = context.getWorkflowStaticData('node');
	const { client, credentialHash, newClient, baseUrl } = await connect(context, {
		timeLimit: budget * BUDGET_SHARE,
		patience: PATIENCE,
	});
	return {
		newClient,
		baseUrl,
		credentialHash,
		workspace: async () => await workspaceOf(client, credentialHash),
		load: () => {
			signal?.throwIfAborted();
			return store;
		},
		save: (state) => Object.assign(store, state),
		now: () => Date.now(),
		report: (failure) => {
			// A poll can either emit records or fail, but n8n shows an emitted error in the same way as a failed poll
			try {
				context.__emitError(pollError(context.getNode(), failure));
				rememberPause(context, credentialHash, failure);
				return true;
			} catch {
				return false;
			}
		},
	};
}
