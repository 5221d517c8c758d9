/** Everything that the demo prints: lines, in color if the terminal supports it, and a progress bar. */

const { stdout } = process;
/** False for a file, a pipe or a log. */
const isTerminal = stdout.isTTY === true && process.env.TERM !== 'dumb';
const hasColour = isTerminal && !process.env.NO_COLOR && stdout.hasColors();

const WIDTH = Math.max(60, Math.min(stdout.columns || 110, 110));
/** Longer text is cut. */
const MAX_LINES = 3;
const BAR_WIDTH = 40;
/** Without a terminal, one line for each of this many parts replaces the bar. */
const PARTS = 5;

const style = (code: number) => (text: string) =>
	hasColour ? `\u001b[${code}m${text}\u001b[0m` : text;
const plain = (text: string) => text;
const bold = style(1);
const dim = style(2);
const red = style(31);
const green = style(32);
const yellow = style(33);
const cyan = style(36);

// The reader has stopped, as in `npm run demo | head`
stdout.on('error', () => process.exit(1));

let barIsShown = false;
let partsShown = 0;

function print(line = ''): void {
	if (barIsShown) stdout.write('\n');
	barIsShown = false;
	stdout.write(`${line}\n`);
}

/** A plain or empty line. */
export const say = (text = '') => print(text);

export const title = (text: string) => print(bold(text));

export const scene = (number: number, text: string) =>
	print(`\n\n${bold(cyan(`${number}. ${text}`))}`);

/** Something that happens outside n8n, or a part of a scene. */
export const event = (text: string) => print(`\n   ${cyan('▸')} ${text}`);

/** A remark about the line above. */
export const remark = (text: string) => print(dim(`   ${text}`));

/** A node that runs, and what it is. */
export const node = (name: string, what: string) =>
	print(`\n   ${bold(name)}  ${dim(`(${what})`)}`);

const paints = { sent: cyan, received: plain, output: plain, error: red };

/** One thing that a node sent, received or returned. */
export function detail(label: keyof typeof paints, text: string): void {
	const start = `     ${label.padEnd(9)} `;
	wrapped(text, WIDTH - start.length).forEach((line, index) => {
		print(`${index === 0 ? dim(start) : ' '.repeat(start.length)}${paints[label](line)}`);
	});
}

/** Something unusual, but not wrong. */
export const warning = (text: string) => {
	eraseBar();
	print(`     ${yellow(text)}`);
};

/** What was checked, and whether it is true. */
export const verdict = (holds: boolean, text: string) =>
	print(`   ${holds ? green(`✓ ${text}`) : red(`✗ ${text}`)}`);

export const success = (text: string) => print(green(text));

export const failure = (text: string) => print(red(text));

/** Shows progress. Call it as often as you like. */
export function progress(done: number, total: number): void {
	const words = `${done} of ${total}`;
	if (isTerminal) {
		const full = Math.round((done / total) * BAR_WIDTH);
		stdout.write(`\r     ${cyan('█'.repeat(full))}${dim('░'.repeat(BAR_WIDTH - full))} ${words}`);
		barIsShown = true;
		return;
	}
	const parts = Math.floor((done / total) * PARTS);
	if (parts > partsShown) print(`     ${words}`);
	partsShown = parts;
}

function eraseBar(): void {
	if (barIsShown) stdout.write('\r\u001b[K');
	barIsShown = false;
}

/** A text as lines of this width, wrapped at spaces. */
function wrapped(text: string, width: number): string[] {
	const lines: string[] = [];
	for (const word of text.split(' ')) {
		const longer = lines.length > 0 ? `${lines[lines.length - 1]} ${word}` : '';
		if (longer !== '' && longer.length <= width) lines[lines.length - 1] = longer;
		else lines.push(word);
	}
	if (lines.length <= MAX_LINES) return lines;
	return [...lines.slice(0, MAX_LINES - 1), `${lines[MAX_LINES - 1]} …`];
}
