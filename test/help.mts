/** With `--help`, prints what a script does, in one line, and ends the process. */
export function helpFor(script: string, line: string): void {
	if (!process.argv.includes('--help')) return;
	console.log(`npm run ${script}  ${line}`);
	process.exit(0);
}
