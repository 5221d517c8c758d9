import * as n8nWorkflow from 'n8n-workflow';

// Without this check, an older n8n would only say that it could not find the class of the node
if (!('NodeConnectionTypes' in n8nWorkflow)) {
	throw new Error('The Search Visibility nodes need n8n 1.123 or later');
}

const { sleepWithAbort } = n8nWorkflow as { sleepWithAbort?: typeof n8nWorkflow.sleep };

/** Waits, and rejects when the signal fires. Older versions of n8n have a separate function for this. */
export const sleep = sleepWithAbort ?? n8nWorkflow.sleep;
