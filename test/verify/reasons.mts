/** What users must agree to first. */
export const CANNOT_BE_UNDONE = [
	'Keywords are created (2 to 4) and archived. No operation deletes them.',
	'Forum opportunities are created (1 to 4) and archived. No operation deletes or restores them.',
	'A competitor with a made-up domain is tracked and deleted. The service keeps what it collects for it.',
	'Content actions are created (4 to 9). Their titles begin with "verify"; archive them in the dashboard.',
	'A question and a backlink are marked as processed and as new, and the backlink is archived and restored.',
	'The search engine is asked what it knows about the home page of the workspace.',
];

/** Assumptions that no run shows, and why. */
const NEVER: Record<string, string> = {
	'2.10, 4.11: the fields of a prompt': 'No operation lists prompts',
	'4.11: the status and body of the response to restoring a prompt': 'No operation lists prompts',
	'4.11: the status and error code when restoring a prompt is refused':
		'No operation lists prompts',
	'4.9: the request body of generate': 'Not tried, because it writes an article',
	'4.9: the status and body of the response of generate': 'Not tried, because it writes an article',
	'4.9: how generate rejects an action that has another type or is already done':
		'Not tried, because it could write an article',
	'4.10: the status code of a successful notification':
		'Not tried, because a search engine would hear of it',
	'4.10: whether latestUpdate and latestRemove are in the response itself or inside urlNotificationMetadata':
		'Not tried, because a search engine would hear of it',
	'4.10: the fields of latestUpdate and latestRemove':
		'Not tried, because a search engine would hear of it',
	'4.7: the status code of the response to renaming a category': 'No operation lists categories',
	'4.7: the status and error code for a category name that is already in use':
		'No operation lists categories',
	'4.7: the status and body of the response to deleting a category':
		'Not tried, because it cannot be undone',
	'7: whether titles and slugs of archived actions count as already in use':
		'No operation archives actions',
	'2.7: whether the URL of a cited page is unique': 'Only a whole list could show it',
};

/** @returns why nothing is known about an assumption */
export function reasonFor(rule: string, write: boolean): string {
	return (
		NEVER[rule] ??
		(write
			? 'Nothing that was tried shows it'
			: 'Only `--write` shows it, in a workspace made for tests')
	);
}
