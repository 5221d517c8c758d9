import { gzipSync } from 'node:zlib';

/* Sitemaps and feeds of one website, made up after the formats; `$` stands for its address. */

/** What a website answers for a path: a text is XML. */
export type Served = string | { body: string | Buffer; type: string };

const XML = '<?xml version="1.0" encoding="UTF-8"?>';
const loc = (path: string) => `<loc>$${path}</loc>`;
const urls = (...paths: string[]) => paths.map((path) => `<url>${loc(path)}</url>`).join('');
const urlset = (inside: string) =>
	`${XML}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${inside}</urlset>`;
const index = (...paths: string[]) =>
	`${XML}<sitemapindex>${paths.map((path) => `<sitemap>${loc(path)}</sitemap>`).join('')}</sitemapindex>`;
const rss = (items: string, attributes = '') =>
	`${XML}<rss version="2.0" ${attributes}><channel><title>Blog</title><link>$/</link><image><url>$/logo.png</url></image>${items}</channel></rss>`;
const atom = (entries: string) =>
	`${XML}<feed xmlns="http://www.w3.org/2005/Atom"><title>Blog</title><link href="$/"/>${entries}</feed>`;
const AB = ['/a', '/b'];
const GOOD = { '/good.xml': urlset(urls('/a', '/b')) };
const GZIPPED = { body: gzipSync(urlset(urls('/z'))), type: 'application/gzip' };
const NO_LIST = 'no sitemap and no feed';
const NO_ENTRY = 'there is no entry in it';
const NOT_OURS = 'No page of ';

type Files = Record<string, Served>;
/**
 * The files by path, or only /sitemap.xml, which is the one that is read; the paths of its pages; and words of the
 * failure that shows as well.
 */
type Row = [about: string, files: string | Files, pages: string[], problem?: string];

// One row, one line
// prettier-ignore
const ROWS: Row[] = [
	['a sitemap', urlset(urls('/a', '/b')), AB],
	['lines and spaces around addresses', urlset('<url>\n<loc>\n $/a \n</loc><lastmod>2020-01-01</lastmod></url>'), ['/a']],
	['a byte order mark', `\uFEFF${urlset(urls('/a'))}`, ['/a']],
	['capital letters', '<URLSET><URL><LOC>$/a</LOC></URL></URLSET>', ['/a']],
	['a prefix', '<sm:urlset xmlns:sm="http://www.sitemaps.org/schemas/sitemap/0.9"><sm:url><sm:loc>$/a</sm:loc></sm:url></sm:urlset>', ['/a']],
	['an index with a prefix', { '/sitemap.xml': '<s:sitemapindex xmlns:s="x"><s:sitemap><s:loc>$/good.xml</s:loc></s:sitemap></s:sitemapindex>', ...GOOD }, AB],
	['images and languages', urlset('<url><image:image><image:loc>$/a.png</image:loc></image:image><loc>$/a</loc><xhtml:link rel="alternate" hreflang="de" href="$/de/a"/></url>'), ['/a']],
	['CDATA and entities', urlset('<url><loc><![CDATA[$/a?x=1&y=2]]></loc></url><url><loc>$/b?x=1&amp;y=2</loc></url>'), ['/a?x=1&y=2', '/b?x=1&y=2']],
	['an address of another encoding', urlset(urls('/gr\uFFFDn', '/a')), ['/a'], 'cannot be read'],
	['comments', urlset(`<!-- ${urls('/old')} -->${urls('/a')}`), ['/a']],
	['relative addresses', urlset('<url><loc>/a</loc></url><url><loc>b</loc></url>'), ['/a'], NOT_OURS],
	['an entry without an address', urlset(`<url><lastmod>2020-01-01</lastmod></url>${urls('/a')}`), ['/a'], NOT_OURS],
	['an address of another kind', urlset(`<url><loc>mailto:a@b.example</loc></url>${urls('/a')}`), ['/a'], NOT_OURS],
	['no pages', urlset(''), []],
	['an empty list', `${XML}<urlset/>`, []],
	['a list in a list', urlset(urlset(urls('/a')).slice(XML.length)), [], NO_ENTRY],
	['addresses without entries', urlset(`${loc('/a')}${loc('/b')}`), [], NO_ENTRY],
	['text without entries', urlset('$/a'), [], NO_ENTRY],
	['an index with entries of a sitemap', `${XML}<sitemapindex>${urls('/a')}</sitemapindex>`, [], NO_ENTRY],
	['an entry whose address has no element', urlset('<url>$/a</url>'), [], 'an entry without an address'],
	['a comment and nothing else', '<!-- nothing -->', [], NO_LIST],
	['nothing but spaces', ' \n', [], NO_LIST],
	['nothing', '', [], NO_LIST],
	['a document type and no pages', '<!DOCTYPE urlset><urlset/>', []],
	['a document type', `${XML}\n<!DOCTYPE urlset SYSTEM "https://www.example.com/sitemap.dtd">\n${urlset(urls('/a', '/b')).slice(XML.length)}`, AB],
	['a document type with entities of its own', `<!DOCTYPE urlset [\n<!ELEMENT loc (#PCDATA)>\n<!ENTITY tea "tea">\n] >${urlset(urls('/a')).slice(XML.length)}`, ['/a']],
	['two addresses in one entry', urlset(`<url>${loc('/a')}${loc('/b')}</url>`), AB],
	['two addresses in one entry, of which one is of another site', urlset(`<url>${loc('/a')}<loc>https://other.example/b</loc></url>`), ['/a'], NOT_OURS],
	['an entry with an empty address', urlset(`<url><loc></loc></url>${urls('/a')}`), ['/a'], NOT_OURS],
	['numeric entities, as of WordPress', urlset('<url><loc>$/a?x=1&#038;y=2</loc></url>'), ['/a?x=1&y=2']],
	['news and video', urlset('<url><loc>$/a</loc><news:news><news:title>Tea</news:title></news:news><video:video><video:content_loc>$/v.mp4</video:content_loc></video:video></url>'), ['/a']],
	['a file that ends in the middle', urlset(urls('/a', '/b')).slice(0, -20), [], NO_LIST],
	['a list as text', { '/sitemap.xml': { body: '$/a\n$/b?x=1&y=2\n', type: 'text/plain' } }, [], NO_LIST],
	['a web page', { '/sitemap.xml': { body: '<!doctype html><html><a href="$/a">A</a></html>', type: 'text/html' } }, [], NO_LIST],
	['a JSON feed', { '/sitemap.xml': { body: '{"items":[{"url":"$/a"}]}', type: 'application/json' } }, [], NO_LIST],
	['nothing there', {}, [], '404'],
	['a compressed file', { '/sitemap.xml': GZIPPED }, [], NO_LIST],
	['an index', { '/sitemap.xml': index('/good.xml', '/more.xml'), ...GOOD, '/more.xml': urlset(urls('/b', '/c')) }, ['/a', '/b', '/c']],
	['an index with one sitemap', { '/sitemap.xml': index('/good.xml'), ...GOOD }, AB],
	['an index with two sitemaps in one entry', { '/sitemap.xml': index('/good.xml').replace('</sitemap>', `${loc('/c.xml')}</sitemap>`), ...GOOD, '/c.xml': urlset(urls('/c')) }, ['/a', '/b', '/c']],
	['an index with a document type', { '/sitemap.xml': index('/good.xml').replace(XML, '<!DOCTYPE sitemapindex>'), ...GOOD }, AB],
	['an index with a missing sitemap', { '/sitemap.xml': index('/gone.xml', '/good.xml'), ...GOOD }, AB, 'gone.xml'],
	['an index with a compressed sitemap', { '/sitemap.xml': index('/zip.xml.gz', '/good.xml'), ...GOOD, '/zip.xml.gz': GZIPPED }, AB, 'zip.xml.gz'],
	['an index with an entry that has no address', { '/sitemap.xml': index('/good.xml').replace('<sitemap>', '<sitemap></sitemap><sitemap>'), ...GOOD }, AB, 'an entry has no address'],
	['an index with a sitemap of nothing but spaces', { '/sitemap.xml': index('/spaces.xml', '/good.xml'), ...GOOD, '/spaces.xml': ' ' }, AB, 'spaces.xml'],
	['an index with a part whose address is not complete', { '/sitemap.xml': index('/good.xml').replace('</sitemapindex>', '<sitemap><loc>b.xml</loc></sitemap></sitemapindex>'), ...GOOD }, AB, 'b.xml'],
	['an index with an empty sitemap', { '/sitemap.xml': index('/empty.xml', '/good.xml'), ...GOOD, '/empty.xml': urlset('') }, AB],
	['an index in an index', { '/sitemap.xml': index('/inner.xml', '/c.xml'), '/inner.xml': index('/good.xml'), ...GOOD, '/c.xml': urlset(urls('/c')) }, ['/a', '/b', '/c']],
	['an index of itself', { '/sitemap.xml': index('/sitemap.xml', '/good.xml'), ...GOOD }, AB],
	['RSS', rss('<item><title>Tea</title><link>$/a</link><guid isPermaLink="false">1</guid></item><item><link><![CDATA[$/b]]></link></item>'), AB],
	['RSS 0.91 with its document type', rss('<item><link>$/a</link></item>').replace(XML, `${XML}\n<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "https://www.example.com/rss-0.91.dtd">`), ['/a']],
	['RSS with a document type in the text of an article', rss('<item><description><![CDATA[<!DOCTYPE html><p>Tea</p>]]></description><link>$/a</link></item>'), ['/a']],
	['RSS with guid as permalink', rss('<item><guid isPermaLink="true">$/a</guid></item><item><guid>$/b</guid></item>'), AB],
	['RSS with a campaign in the link beside a permanent guid', rss('<item><link>$/a?utm_source=rss</link><guid>$/a</guid></item>'), ['/a']],
	['RSS with a campaign in the link and a guid that is no permalink', rss('<item><link>$/a?utm_source=rss</link><guid isPermaLink="false">$/a</guid></item>'), ['/a?utm_source=rss']],
	['RSS with a guid that is no address', rss('<item><guid>post-1</guid><link>$/a</link></item>'), ['/a']],
	['RSS without an article', rss(''), []],
	['RSS with a guid that is no permalink', rss('<item><guid isPermaLink="false">$/?p=1</guid></item><item><link>$/b</link></item>'), ['/b'], NOT_OURS],
	['RSS whose first link is of another site', rss('<item><link>https://other.example/</link><guid>$/a</guid></item><item><link>https://other.example/b</link></item>'), ['/a'], NOT_OURS],
	['RSS with links of Atom', rss('<item><atom:link href="$/feed" rel="self"/><link>$/a</link></item>', 'xmlns:atom="http://www.w3.org/2005/Atom"'), ['/a']],
	['RSS 1.0', '<rdf:RDF><channel rdf:about="$/"/><item rdf:about="$/a"><link>$/a</link></item></rdf:RDF>', ['/a']],
	['Atom with several links', atom('<entry><link rel="replies" href="$/a/comments"/><link rel="alternate" href="$/a"/></entry><entry><link href="$/b"/></entry>'), AB],
	['Atom with HTML in the entries, as of Jekyll', atom('<entry xml:lang="en"><title type="html">Tea</title><link href="$/a" rel="alternate" type="text/html" title="Tea" /><id>$/a</id><content type="html"><![CDATA[<p>Add <link>$/no</link> and <item>.</p>]]></content></entry>'), ['/a']],
	['RSS with HTML before the link', rss('<item><description><![CDATA[<link>$/no</link>]]></description><link>$/a</link></item>'), ['/a']],
	['an index of languages, as of Hugo', { '/sitemap.xml': `${index('/en/sitemap.xml')}\n`, '/en/sitemap.xml': urlset('<url><loc>/a</loc><xhtml:link rel="alternate" hreflang="de" href="/de/a" /></url>') }, ['/a']],
	['Atom with a prefix and a relative link', '<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:entry><a:link href="/a"/></a:entry></a:feed>', ['/a']],
];

export const SITEMAPS = ROWS.map(([about, files, pages, problem]) => ({
	about,
	pages,
	problem,
	files: typeof files === 'string' ? { '/sitemap.xml': files } : files,
}));
