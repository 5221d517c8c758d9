/** What `npm audit --json` gives, as far as it matters here. */
export interface AuditReport {
	vulnerabilities?: Record<string, { via: Array<string | Advisory> }>;
}

interface Advisory {
	name: string;
	title: string;
	url: string;
	severity: string;
}

/** One advisory, and the package that it is about. */
export interface Finding {
	id: string;
	line: string;
}

/** @returns every advisory of the report once, in the order of its packages */
export function findingsIn({ vulnerabilities = {} }: AuditReport): Finding[] {
	const advisories = Object.values(vulnerabilities)
		.flatMap(({ via }) => via)
		// A name stands for an advisory that another entry has
		.filter((via): via is Advisory => typeof via !== 'string');
	const findings = advisories.map(({ name, title, url, severity }): [string, Finding] => {
		const id = url.split('/').pop() ?? url;
		return [id, { id, line: `${id} (${severity}) ${name}: ${title}` }];
	});
	return [...new Map(findings).values()];
}

/** @returns the findings that a text, such as SECURITY.md, does not name */
export function unjudged(findings: Finding[], text: string): Finding[] {
	return findings.filter(({ id }) => !text.includes(id));
}
