/** The fields of `npm audit --json` that are needed here. */
export interface AuditReport {
	vulnerabilities?: Record<string, { via: Array<string | Advisory> }>;
}

interface Advisory {
	name: string;
	title: string;
	url: string;
	severity: string;
}

/** One advisory, and the package that it concerns. */
export interface Finding {
	id: string;
	line: string;
}

/** @returns every advisory of the report once, ordered by package */
export function findingsIn({ vulnerabilities = {} }: AuditReport): Finding[] {
	const advisories = Object.values(vulnerabilities)
		.flatMap(({ via }) => via)
		// A name refers to an advisory in another entry
		.filter((via): via is Advisory => typeof via !== 'string');
	const findings = advisories.map(({ name, title, url, severity }): [string, Finding] => {
		const id = url.split('/').pop() ?? url;
		return [id, { id, line: `${id} (${severity}) ${name}: ${title}` }];
	});
	return [...new Map(findings).values()];
}

/** @returns the findings that a text, such as SECURITY.md, does not mention */
export function unjudged(findings: Finding[], text: string): Finding[] {
	return findings.filter(({ id }) => !text.includes(id));
}
