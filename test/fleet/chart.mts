import { coresOf, growthPerMinute, type Result } from './run.mts';

/** A figure plotted against the size of the fleet. */
interface Panel {
	title: string;
	value: (result: Result) => number;
}

const PANELS: Panel[] = [
	{ title: 'CPU of n8n, % of a core', value: (result) => 100 * coresOf(result) },
	{ title: 'Memory of n8n, MB', value: ({ memory }) => memory.n8n / 1e6 },
	{
		title: 'Database growth, MB per minute',
		value: (result) => growthPerMinute(result) / 1e6,
	},
];

const SERIES = [
	{ name: 'Trigger', color: '#1565c0', holds: (one: Result) => one.kind === 'trigger' },
	{ name: "n8n's own nodes", color: '#ef6c00', holds: (one: Result) => one.kind === 'own' },
];

const WIDTH = 300;
const LEFT = 45;
const TOP = 60;
const PLOT = { width: 220, height: 150 };

/** Three panels side by side, with a line for each kind of workflow, all for a single n8n with SQLite. */
export function chart(results: Result[]): string {
	const singles = results.filter(
		({ mode, env }) => mode === 'single' && env.N8N_EXPRESSION_ENGINE !== undefined,
	);
	const sizes = [...new Set(singles.map(({ size }) => size))].sort((a, b) => a - b);
	const panels = PANELS.map((panel, index) => drawn(panel, singles, sizes, index * WIDTH));
	const legend = SERIES.map(
		({ name, color }, index) =>
			`<rect x="${LEFT + index * 110}" y="8" width="12" height="12" fill="${color}"/>` +
			`<text x="${LEFT + 17 + index * 110}" y="18">${name}</text>`,
	);
	const height = TOP + PLOT.height + 45;
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${PANELS.length * WIDTH} ${height}" font-family="sans-serif" font-size="12" role="img">
<title>CPU, memory and database growth of one n8n, by the number of workflows</title>
<rect width="100%" height="100%" fill="#fff"/>
${[...legend, ...panels].join('\n')}
</svg>
`;
}

function drawn({ title, value }: Panel, results: Result[], sizes: number[], from: number): string {
	const largest = Math.max(...sizes);
	const most = topOf(Math.max(...results.map(value)));
	const x = (size: number) => (from + LEFT + (size / largest) * PLOT.width).toFixed(1);
	const y = (amount: number) => (TOP + PLOT.height * (1 - amount / most)).toFixed(1);
	const lines = [0, most / 2, most].map(
		(amount) =>
			`<line x1="${x(0)}" x2="${x(largest)}" y1="${y(amount)}" y2="${y(amount)}" stroke="#ddd"/>` +
			`<text x="${from + LEFT - 6}" y="${Number(y(amount)) + 4}" text-anchor="end">${Number(amount.toPrecision(3))}</text>`,
	);
	const marks = sizes.map(
		(size) =>
			`<text x="${x(size)}" y="${TOP + PLOT.height + 18}" text-anchor="middle">${size.toLocaleString('en-US')}</text>`,
	);
	const series = SERIES.map(({ color, holds }) => {
		const points = results.filter(holds).sort((a, b) => a.size - b.size);
		const places = points.map((one) => `${x(one.size)},${y(value(one))}`);
		const dots = points.map(
			(one) => `<circle cx="${x(one.size)}" cy="${y(value(one))}" r="3" fill="${color}"/>`,
		);
		const line = `<polyline points="${places.join(' ')}" fill="none" stroke="${color}" stroke-width="2"/>`;
		return [line, ...dots].join('\n');
	});
	const name = `<text x="${x(0)}" y="${TOP - 14}" font-weight="bold">${title}</text>`;
	const below = `<text x="${x(largest / 2)}" y="${TOP + PLOT.height + 36}" text-anchor="middle">workflows</text>`;
	return [name, ...lines, ...marks, below, ...series].join('\n');
}

/** The next round number. */
function topOf(most: number): number {
	const unit = 10 ** Math.floor(Math.log10(most || 1));
	return Math.ceil(most / unit) * unit;
}
