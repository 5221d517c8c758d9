/* Files with keywords, as people export them from other tools; made up. */

type Cell = string | number;

export interface Sheet {
	about: string;
	name: string;
	/** The file: a text as it is, bytes in Latin-1, or the rows of a spreadsheet */
	content: string | Buffer | Cell[][];
	/** What the visitor enters; by default, "Keyword" and "Keywords". Without a sheet, the first one is read */
	column?: string;
	sheet?: string;
	/** The keywords in it */
	keywords?: string[];
	/** What the last page says; by default, how many different keywords were sent */
	words?: string;
	/** How the service answers from a request on, or what goes wrong with that one; by default, the second */
	fault?: { nth?: number } & (
		| { kind: 'status'; status: number; headers?: Record<string, string> }
		| { kind: 'cutAfter' }
	);
}

const HEAD = 'Keyword,Volume';
const ROWS: Cell[][] = [
	['Keyword', 'Volume'],
	['green tea', 10],
	['tea, black', 5],
];
const MANY = Array.from({ length: 101 }, (_, n) => `tea ${n}`);
const BOTH = ['green tea', 'tea, black'];

// One row, one line
// prettier-ignore
export const SHEETS: Sheet[] = [
	{ about: 'a CSV file', name: 'k.csv', content: `${HEAD}\ngreen tea,10\n"tea, black",5\n`, keywords: BOTH },
	{ about: 'a byte order mark and lines of Windows', name: 'K.CSV', content: `\uFEFF${HEAD}\r\ngreen tea,10\r\n"tea, black",5\r\n`, keywords: BOTH },
	{ about: 'accents and other scripts', name: 'k.csv', content: 'Keyword\nthé vert\n緑茶\nчай\n', keywords: ['thé vert', '緑茶', 'чай'] },
	{ about: 'empty lines and cells', name: 'k.csv', content: 'Keyword,Volume\n\ngreen tea,10\n,7\n"  ",8\n', keywords: ['green tea'] },
	{ about: 'another name of the column', name: 'k.csv', content: 'Clicks,Top queries\n4,green tea\n', column: 'Top queries', keywords: ['green tea'] },
	{ about: 'signs of all kinds', name: 'k.csv', content: 'Keyword\nfor (;;) meaning\n"a ""quoted"" tea"\n', keywords: ['for (;;) meaning', 'a "quoted" tea'] },
	{ about: 'the same keyword twice', name: 'k.csv', content: 'Keyword\ntea\ntea\n', keywords: ['tea'], words: '2 row(s) with a keyword. 1 different keywords sent: 1 added, 0 existed' },
	{ about: 'more than one request, one of them rejected', name: 'k.csv', content: `Keyword\n${MANY.join('\n')}\n`, keywords: MANY, fault: { kind: 'status', status: 422 }, words: '100 different keywords sent: 100 added, 0 existed already. The service rejected' },
	{ about: 'a service that answers 500 for good', name: 'k.csv', content: 'Keyword\ntea\n', keywords: ['tea'], fault: { nth: 1, kind: 'status', status: 500 }, words: 'it may have done the work. Running it again is safe.' },
	{ about: 'a service that answers 500 from the second request on', name: 'k.csv', content: `Keyword\n${MANY.join('\n')}\n`, keywords: MANY, fault: { kind: 'status', status: 500 }, words: '100 different keywords sent: 100 added, 0 existed already. The service could not process the request' },
	{ about: 'a service that accepts no more requests', name: 'k.csv', content: `Keyword\n${MANY.join('\n')}\n`, keywords: MANY, fault: { kind: 'status', status: 429, headers: { 'Retry-After': '7200' } }, words: '100 different keywords sent: 100 added, 0 existed already. The service received too many requests' },
	{ about: 'a request that was repeated', name: 'k.csv', content: `Keyword\n${MANY.join('\n')}\n`, keywords: MANY, fault: { kind: 'cutAfter' }, words: '101 different keywords sent: a response does not say how many were added' },
	{ about: 'a spreadsheet without the name of its sheet', name: 'k.xlsx', content: ROWS, sheet: '', keywords: BOTH, words: 'Column "Keyword": 2 row(s) with a keyword.' },
	{ about: 'a CSV file without the name of a sheet', name: 'k.csv', content: `${HEAD}\ngreen tea,10\n`, sheet: '', keywords: ['green tea'], words: 'Column "Keyword": 1 row(s) with a keyword.' },
	{ about: 'tabs', name: 'k.tsv', content: 'Keyword\tVolume\ngreen tea\t10\n', keywords: ['green tea'] },
	{ about: 'no column of this name', name: 'k.csv', content: 'Keywords,Page\n12,/a\n', words: 'Columns in the file: Keywords, Page' },
	{ about: 'another case of the name', name: 'k.csv', content: 'keyword\ntea\n', words: 'Columns in the file: keyword' },
	{ about: 'a cell with two lines', name: 'k.csv', content: 'Keyword\ngreen tea\n"black tea\nwhite tea"\n', words: 'Row 3, without counting empty rows, has more than one line or a tab: ' },
	{ about: 'a cell of a spreadsheet with two lines', name: 'k.xlsx', content: [['Keyword'], ['green tea'], ['black tea\nwhite tea']], words: 'Row 3, without counting empty rows' },
	{ about: 'tabs below a single name', name: 'k.csv', content: 'Keyword\ngreen tea\t10\n', words: 'tab' },
	{ about: 'semicolons', name: 'k.csv', content: 'Keyword;Volume\ngreen tea;10\n', words: 'Columns in the file: Keyword;Volume' },
	{ about: 'no names of columns', name: 'k.csv', content: 'green tea\nblack tea\n', words: 'Columns in the file: green tea' },
	{ about: 'a comma without quotation marks', name: 'k.csv', content: 'Keyword\ntea, black\n', words: 'Invalid Record Length' },
	{ about: 'no rows', name: 'k.csv', content: `${HEAD}\n`, words: 'Columns in the file: none' },
	{ about: 'Latin-1', name: 'k.csv', content: Buffer.from('Keyword\nth\xe9 vert\n', 'latin1'), words: 'cannot be read' },
	{ about: 'UTF-16', name: 'k.csv', content: Buffer.from(`${HEAD}\ngreen tea,1\n`, 'utf16le'), words: 'The file could not be read' },
	{ about: 'Excel', name: 'k.xlsx', content: ROWS, keywords: BOTH },
	{ about: 'an older Excel', name: 'k.xls', content: ROWS, keywords: BOTH },
	{ about: 'OpenDocument', name: 'k.ods', content: ROWS, keywords: BOTH },
	{ about: 'a keyword that is a number', name: 'k.xlsx', content: [['Keyword'], [2024], ['green tea']], keywords: ['2024', 'green tea'] },
	{ about: 'no sheet of this name', name: 'k.xlsx', content: ROWS, sheet: 'Sheet1', words: 'does not contain sheet called' },
	{ about: 'an empty sheet', name: 'k.xlsx', content: [], words: 'Columns in the file: none' },
	{ about: 'another file with the name of a spreadsheet', name: 'k.xlsx', content: 'This is no spreadsheet', words: 'The file could not be read' },
];
