import { readFileSync } from 'node:fs';

/** What `npm run release` does, after it has looked at the branch, the working tree and the changelog: see RELEASING.md. */

const { repository } = JSON.parse(readFileSync('package.json', 'utf8'));
const args = process.argv.slice(2);
const isPreRelease = args.some((one) => one.startsWith('--preRelease='));

// Otherwise release-it takes a patch, or dates the entry of a pre-release
if (!isPreRelease && !args.some((one) => ['patch', 'minor', 'major'].includes(one))) {
	console.error(
		'Say which: npm run release -- patch, minor or major. A pre-release has --preRelease=rc',
	);
	process.exit(1);
}

export default {
	// Shows what the hooks print
	verbose: 1,
	hooks: {
		// Before anything is changed
		'before:bump': ['tsx test/package/ready.mts', 'npm test'],
		// Not by release-it itself: after a rejected push, it deletes the tag on GitHub, even if somebody else has pushed it
		'after:release': 'git push --atomic origin main ${tagName}',
	},
	git: {
		requireBranch: 'main',
		commitMessage: 'Release ${version}',
		tagName: 'v${version}',
		tagAnnotation: 'Release ${version}',
		push: false,
	},
	// The workflow "Publish" does both
	npm: { publish: false },
	github: { release: false },
	plugins: {
		'@release-it/keep-a-changelog': {
			filename: 'CHANGELOG.md',
			addUnreleased: true,
			// Its notes are what is unreleased
			keepUnreleased: isPreRelease,
			addVersionUrl: true,
			versionUrlFormats: {
				repositoryUrl: repository.url.replace(/^git\+|\.git$/g, ''),
				versionUrl: '{repositoryUrl}/releases/tag/{tagName}',
			},
		},
	},
};
