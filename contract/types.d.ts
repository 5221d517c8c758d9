// Made from openapi.yaml by "npm run contract:types": change that file, not this one

export interface paths {
	'/v1/workspace': {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/** Get the workspace */
		get: operations['getWorkspace'];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	'/v1/keywords': {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/** List keywords */
		get: operations['listKeywords'];
		put?: never;
		/**
		 * Add keywords
		 * @description Adds one or more keywords. Duplicates are silently skipped.
		 */
		post: operations['createKeywords'];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	'/v1/keywords/{id}': {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description ID of the record. */
				id: components['parameters']['Id'];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		post?: never;
		/**
		 * Archive a keyword
		 * @description Removes a keyword from the worklist. It can be restored.
		 */
		delete: operations['archiveKeyword'];
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	'/v1/keywords/{id}/unarchive': {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description ID of the record. */
				id: components['parameters']['Id'];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		/**
		 * Restore a keyword
		 * @description Returns an archived keyword to the state that its actions and articles give it.
		 */
		patch: operations['unarchiveKeyword'];
		trace?: never;
	};
	'/v1/keywords/{id}/cluster': {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description ID of the record. */
				id: components['parameters']['Id'];
			};
			cookie?: never;
		};
		/**
		 * Get the cluster of a keyword
		 * @description Keywords that are semantically similar to the seed keyword. There are no pages. The array is empty while the seed
		 *     is not yet indexed.
		 */
		get: operations['getKeywordCluster'];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	'/v1/competitors': {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/** List competitors */
		get: operations['listCompetitors'];
		put?: never;
		/**
		 * Track a competitor
		 * @description Keywords and backlinks of the competitor are discovered on the next background sync: results are not immediate.
		 *     A competitor that was discovered or removed becomes tracked again, without a second record.
		 */
		post: operations['createCompetitor'];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	'/v1/competitors/{id}': {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description ID of the record. */
				id: components['parameters']['Id'];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		post?: never;
		/**
		 * Stop tracking a competitor
		 * @description The competitor is not listed at any scope any more. AI answers already attributed to it, its keywords and its
		 *     backlinks stay. It is tracked again when its domain is added again.
		 */
		delete: operations['deleteCompetitor'];
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	'/v1/forum-opportunities': {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/**
		 * List forum opportunities
		 * @description Archived ones are never included.
		 */
		get: operations['listForumOpportunities'];
		put?: never;
		/**
		 * Record a forum opportunity
		 * @description When the same `url` already exists in the workspace, the existing record is returned unchanged.
		 */
		post: operations['createForumOpportunity'];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	'/v1/forum-opportunities/{id}': {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description ID of the record. */
				id: components['parameters']['Id'];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		post?: never;
		/**
		 * Archive a forum opportunity
		 * @description It is left out of all lists, and there is no operation to restore it.
		 */
		delete: operations['archiveForumOpportunity'];
		options?: never;
		head?: never;
		/** Set the status of a forum opportunity */
		patch: operations['updateForumOpportunity'];
		trace?: never;
	};
	'/v1/people-also-ask': {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/**
		 * List related questions
		 * @description Archived ones are never returned.
		 */
		get: operations['listQuestions'];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	'/v1/people-also-ask/{id}': {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description ID of the record. */
				id: components['parameters']['Id'];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		post?: never;
		/**
		 * Archive a related question
		 * @description It is left out of all lists, and there is no operation to restore it.
		 */
		delete: operations['archiveQuestion'];
		options?: never;
		head?: never;
		/** Set the status of a related question */
		patch: operations['updateQuestion'];
		trace?: never;
	};
	'/v1/backlinks': {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/** List backlinks */
		get: operations['listBacklinks'];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	'/v1/backlinks/{id}': {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description ID of the record. */
				id: components['parameters']['Id'];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		post?: never;
		/**
		 * Archive a backlink
		 * @description Removes a backlink from the worklist. It can be restored.
		 */
		delete: operations['archiveBacklink'];
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	'/v1/backlinks/{id}/unarchive': {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description ID of the record. */
				id: components['parameters']['Id'];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		/**
		 * Restore a backlink
		 * @description The backlink appears in the default list again.
		 */
		patch: operations['unarchiveBacklink'];
		trace?: never;
	};
	'/v1/backlinks/{id}/update': {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description ID of the record. */
				id: components['parameters']['Id'];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		/** Mark a backlink as processed or new */
		patch: operations['updateBacklink'];
		trace?: never;
	};
	'/v1/categories/{id}': {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description ID of the record. */
				id: components['parameters']['Id'];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		post?: never;
		/**
		 * Delete a category for good
		 * @description Actions and articles that are assigned to the category get null as their `categoryId`.
		 */
		delete: operations['deleteCategory'];
		options?: never;
		head?: never;
		/** Rename a category */
		patch: operations['updateCategory'];
		trace?: never;
	};
	'/v1/ai-visibility/citations': {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/**
		 * List cited pages
		 * @description Most cited first. Without dates, the full history is covered. `citations` of a page counts only the requested
		 *     period.
		 */
		get: operations['listCitations'];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	'/v1/actions': {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/**
		 * List actions
		 * @description By position, then by creation date. Archived actions are never returned.
		 */
		get: operations['listActions'];
		put?: never;
		/**
		 * Plan an action
		 * @description The action is appended to the end of the order. Each type needs its target:
		 *
		 *     | Type | Required target | Purpose |
		 *     | --- | --- | --- |
		 *     | `write_article` | none | Plan content |
		 *     | `update_article` | `articleId` | Any edit of an existing article, with the instruction in `additionalInstructions` |
		 *     | `earn_link` | `backlinkId` | Go after a referring domain that competitors have |
		 *     | `get_cited` | `citationId` | Get onto a page that AI engines already cite |
		 *     | `reply_thread` | `citationId` | Reply on a cited forum or question-and-answer thread |
		 *     | `record_video` | `citationId` | Make a video of one's own |
		 *     | `track_competitor` | `competitorId` | Start tracking a discovered brand |
		 *     | `add_prompt` | none | Track a buyer question that no prompt covers |
		 *     | `publish_article` | `articleId` | Push a finished article to the integrations of the workspace |
		 *     | `request_indexing` | `articleId` | Ask a search engine to index a published page |
		 *     | `other` | none | Free note |
		 *
		 *     A field that does not apply to the type (`x-applies-to`) is dropped, not rejected.
		 */
		post: operations['createAction'];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	'/v1/actions/{id}/generate': {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description ID of the record. */
				id: components['parameters']['Id'];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/** Write the article of a planned action */
		post: operations['generateAction'];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	'/v1/gsc/index': {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * Notify the search engine of a page
		 * @description A success means that the engine received the notification. It does not confirm or guarantee indexing.
		 *
		 *     Preconditions: a search-console connection with the indexing OAuth scope, and a connected account that is a
		 *     verified owner of the property. A connection that predates indexing support must be reconnected in the
		 *     integrations of the dashboard.
		 */
		post: operations['notifyIndexing'];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	'/v1/gsc/inspect': {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * Ask how a page stands in the index
		 * @description The follow-up check of a notification.
		 */
		post: operations['inspectUrl'];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	'/v1/ai-visibility/prompts/{id}/unarchive': {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description ID of the record. */
				id: components['parameters']['Id'];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		/**
		 * Put a prompt back into the daily run
		 * @description The prompt takes a slot of the allowance again. It is refused when the workspace is at its limit.
		 */
		patch: operations['unarchivePrompt'];
		trace?: never;
	};
}
export type webhooks = Record<string, never>;
export interface components {
	schemas: {
		/** @description A whole number. */
		Count: number;
		/** @description A text with at least one character. */
		FilledText: string;
		/** @description A text, if there is one. */
		OptionalText: string | null;
		/**
		 * Format: date-time
		 * @description ISO 8601, in UTC.
		 * @example 2026-01-31T09:30:00.000Z
		 */
		Timestamp: string;
		/**
		 * @description A bare hostname: no scheme, port, path or slash.
		 * @example example.com
		 */
		Hostname: string;
		/**
		 * @description - `new`: nobody has worked on it, or it was put back
		 *     - `processed`: it was engaged with or addressed
		 * @enum {string}
		 */
		TriageStatus: 'new' | 'processed';
		/**
		 * @description A platform that gives AI answers.
		 * @enum {string}
		 */
		Platform: 'chat_assistant' | 'answer_engine' | 'search_ai_overview' | 'search_ai_mode';
		/**
		 * @description What kind of work an action is.
		 * @enum {string}
		 */
		ActionType:
			| 'write_article'
			| 'update_article'
			| 'earn_link'
			| 'get_cited'
			| 'reply_thread'
			| 'record_video'
			| 'track_competitor'
			| 'add_prompt'
			| 'publish_article'
			| 'request_indexing'
			| 'other';
		/**
		 * @description State of an action. `new` and `in_progress` are known.
		 * @example new
		 * @example in_progress
		 */
		ActionStatus: string;
		/** @description The business that the API key belongs to. Every field may be null. */
		Workspace: {
			id: string | null;
			/** @description Name of the workspace, not necessarily the brand name. */
			name: string | null;
			/** @description How the business refers to itself. AI visibility counts mentions of this name. */
			brandName: string | null;
			/**
			 * @description Stored as entered: a bare hostname, or a full URL with scheme and trailing slash. Everywhere else a domain is a
			 *     bare hostname, so strip the scheme and the trailing slash before you compare. Articles are published here. A
			 *     citation or backlink that points at it is the workspace's own.
			 * @example https://www.example.com/
			 */
			domain: string | null;
			/** @description What the business does. */
			businessDescription: string | null;
			/** @description Who it sells to. */
			targetAudience: string | null;
			/** @description What the business argues is better about it. */
			benefits: string | null;
			/** @description How generated content should sound. */
			toneOfVoice: string | null;
			industry: string | null;
			/**
			 * @description The country that is targeted, as ISO 3166-1 alpha-2. Search results, keyword volumes and rankings are those of
			 *     this market.
			 * @example GB
			 */
			location: string | null;
			/**
			 * @description The language that content is written in, as ISO 639-1.
			 * @example en
			 */
			language: string | null;
		};
		/** @description A search term. Its fields are not shown; five names are known as sort keys. */
		Keyword: {
			id: string;
			keyword?: string;
			searchVolume?: number;
			competitionIndex?: number;
			opportunityIndex?: number;
			compositeScore?: number;
			aiScore?: number;
			competitorId?: string | null;
			createdAt?: components['schemas']['Timestamp'];
		};
		/** @description A keyword that is similar to another one. Its fields are not shown. */
		ClusterKeyword: {
			id?: string;
			keyword?: string;
			searchVolume?: number;
			compositeScore?: number;
		};
		/** @description Another business, tracked or discovered. */
		Competitor: {
			id: string;
			name: string;
			domain: components['schemas']['Hostname'];
			createdAt: components['schemas']['Timestamp'];
			updatedAt: components['schemas']['Timestamp'];
		};
		/** @description A thread worth engaging in. */
		ForumOpportunity: {
			id: string;
			title: string;
			/** @description Unique per workspace. */
			url: string;
			status: components['schemas']['TriageStatus'];
			createdAt: components['schemas']['Timestamp'];
			updatedAt: components['schemas']['Timestamp'];
			/** @description The tracked competitor that it is linked to, if any. */
			competitorId?: components['schemas']['OptionalText'];
		};
		/** @description A question that people also ask. */
		Question: {
			id: string;
			question: string;
			status: components['schemas']['TriageStatus'];
			createdAt: components['schemas']['Timestamp'];
			updatedAt: components['schemas']['Timestamp'];
			/** @description The article that answers the question, once one exists. */
			articleId?: components['schemas']['OptionalText'];
		};
		/** @description A link from another site. Its fields are not shown; four names are known from sort keys and a filter. */
		Backlink: {
			id: string;
			domainFrom?: string;
			urlFrom?: string;
			urlTo?: string;
			domainFromRank?: number;
			backlinkSpamScore?: number;
			firstSeen?: components['schemas']['Timestamp'];
			status?: components['schemas']['TriageStatus'];
			competitorId?: string | null;
		};
		/** @description A category of actions and articles. */
		Category: {
			id: string;
			/** @description Unique within the workspace. */
			name: string;
			color: string;
			createdAt: components['schemas']['Timestamp'];
			updatedAt: components['schemas']['Timestamp'];
		};
		/** @description A page that AI answers cite. */
		CitedPage: {
			/** Format: uuid */
			id: string;
			url: string;
			domain: components['schemas']['Hostname'];
			/** @description As the citing platform reported it. */
			title: string;
			/** @description Whether the page is on the workspace's own domain. */
			isOwnDomain: boolean;
			status: components['schemas']['TriageStatus'];
			/** @description First citation ever, also when it was before the requested period. */
			firstSeenAt: components['schemas']['Timestamp'];
			/** @description Last citation ever, also when it was after the requested period. */
			lastSeenAt: components['schemas']['Timestamp'];
			/**
			 * @description How many responses of the requested period cited the page. A response cites a page at most once, so this is also
			 *     the number of answers behind it.
			 */
			citations: components['schemas']['Count'];
			/** @description The platforms that cited the page in the requested period. */
			platforms: components['schemas']['Platform'][];
		};
		/** @description Planned content work. Its fields are not shown beyond those that it is created with, and its status. */
		Action: {
			id: string;
			type: components['schemas']['ActionType'];
			title?: components['schemas']['OptionalText'];
			shortDescription?: components['schemas']['OptionalText'];
			description?: components['schemas']['OptionalText'];
			additionalInstructions?: components['schemas']['OptionalText'];
			articleId?: components['schemas']['OptionalText'];
			backlinkId?: components['schemas']['OptionalText'];
			citationId?: components['schemas']['OptionalText'];
			competitorId?: components['schemas']['OptionalText'];
			slug?: components['schemas']['OptionalText'];
			/** @description Null when its category was deleted. */
			categoryId?: string | null;
			keywordIds?: string[];
			fanoutQueryIds?: string[];
			status?: components['schemas']['ActionStatus'];
			position?: number;
			createdAt?: components['schemas']['Timestamp'];
		};
		/** @description A question that is put to AI platforms daily. Its fields are not shown. */
		Prompt: {
			id?: string;
			prompt?: string;
			archived?: boolean;
		};
		/** @description The body is not shown. */
		CreateKeywords: {
			/**
			 * @example [
			 *       "green tea",
			 *       "loose leaf tea"
			 *     ]
			 */
			keywords: string[];
		};
		CreatedKeywords: {
			/** @description How many keywords were newly inserted; duplicates do not count. */
			count: components['schemas']['Count'];
		};
		/** @description The body carries the domain of the competitor. The name of its field is not shown. */
		CreateCompetitor: {
			domain: components['schemas']['Hostname'];
		};
		CreateForumOpportunity: {
			/** @example Where to buy green tea? */
			title: components['schemas']['FilledText'];
			/**
			 * @description Unique per workspace.
			 * @example https://forum.example.org/t/42
			 */
			url: components['schemas']['FilledText'];
			/** @description The tracked competitor to link it to. */
			competitorId?: components['schemas']['FilledText'];
		};
		UpdateStatus: {
			status: components['schemas']['TriageStatus'];
		};
		/** @description The body marks the backlink as processed or new. Its field and values are not shown. */
		UpdateBacklink: {
			status: components['schemas']['TriageStatus'];
		};
		UpdateCategory: {
			/**
			 * @description The new name, unique in the workspace.
			 * @example Guides
			 */
			name: components['schemas']['FilledText'];
		};
		/** @description See the table of targets at the operation. */
		CreateAction: {
			type: components['schemas']['ActionType'];
			/** @description Unique among actions. */
			title?: components['schemas']['FilledText'];
			/** @description Line under the title in a list. It should lead with evidence. */
			shortDescription?: string;
			/** @description Fuller explanation, shown when the action is opened. For `write_article` it is the generation brief. */
			description?: string;
			/** @description Instructions. For `update_article` they carry the edit. */
			additionalInstructions?: string;
			articleId?: components['schemas']['FilledText'];
			backlinkId?: components['schemas']['FilledText'];
			/** Format: uuid */
			citationId?: string;
			competitorId?: components['schemas']['FilledText'];
			/** @description Unique across actions and articles. */
			slug?: components['schemas']['FilledText'];
			categoryId?: components['schemas']['FilledText'];
			keywordIds?: components['schemas']['FilledText'][];
			fanoutQueryIds?: components['schemas']['FilledText'][];
		};
		NotifyIndexing: {
			/**
			 * @description Fully qualified, and on a property that the connected account owns.
			 * @example https://www.example.com/blog/green-tea
			 */
			url: string;
			type: components['schemas']['NotificationType'];
		};
		/**
		 * @description - `URL_UPDATED`: (re)index a new or changed page
		 *     - `URL_DELETED`: remove the page
		 * @enum {string}
		 */
		NotificationType: 'URL_UPDATED' | 'URL_DELETED';
		/** @description The body is not shown. */
		InspectUrl: {
			/** @example https://www.example.com/blog/green-tea */
			url: string;
		};
		/** @description The raw metadata of the search engine. Other fields are not shown. */
		Notification: {
			/** @description Present only once the engine has processed an earlier notification of an update. */
			latestUpdate?: components['schemas']['NotificationRecord'];
			/** @description Present only once the engine has processed an earlier notification of a removal. */
			latestRemove?: components['schemas']['NotificationRecord'];
			urlNotificationMetadata?: {
				url?: string;
				latestUpdate?: components['schemas']['NotificationRecord'];
				latestRemove?: components['schemas']['NotificationRecord'];
			};
		};
		/** @description An earlier notification. Its fields are not shown. */
		NotificationRecord: {
			url?: string;
			type?: components['schemas']['NotificationType'];
			notifyTime?: components['schemas']['Timestamp'];
		};
		/** @description The response is not shown. */
		Inspection: {
			inspectionResult?: {
				indexStatusResult?: {
					/** @example PASS */
					verdict?: string;
					/** @example Submitted and indexed */
					coverageState?: string;
				};
			};
		};
		/** @description Why the service refused. The shape is not shown in general. */
		ErrorBody: {
			/**
			 * @description Code of the refusal. It is known for competitors only.
			 * @example competitor-already-exists
			 */
			type?: string;
			/** @description The words of the service. */
			message?: string;
		};
		/** @description How many records match in all. */
		PageTotal: components['schemas']['Count'];
		/** @description The offset that was applied. */
		PageOffset: components['schemas']['Count'];
		/** @description The page size that was applied. */
		PageLimit: components['schemas']['Count'];
		/** @description How many records this page has. */
		PageCount: components['schemas']['Count'];
		/** @description A page of keywords. */
		KeywordPage: {
			data: {
				total: components['schemas']['PageTotal'];
				offset: components['schemas']['PageOffset'];
				limit: components['schemas']['PageLimit'];
				count: components['schemas']['PageCount'];
				items: components['schemas']['Keyword'][];
			};
		};
		/** @description A page of competitors. */
		CompetitorPage: {
			data: {
				total: components['schemas']['PageTotal'];
				offset: components['schemas']['PageOffset'];
				limit: components['schemas']['PageLimit'];
				count: components['schemas']['PageCount'];
				items: components['schemas']['Competitor'][];
			};
		};
		/** @description A page of forum opportunities. */
		ForumOpportunityPage: {
			data: {
				total: components['schemas']['PageTotal'];
				offset: components['schemas']['PageOffset'];
				limit: components['schemas']['PageLimit'];
				count: components['schemas']['PageCount'];
				items: components['schemas']['ForumOpportunity'][];
			};
		};
		/** @description A page of questions. */
		QuestionPage: {
			data: {
				total: components['schemas']['PageTotal'];
				offset: components['schemas']['PageOffset'];
				limit: components['schemas']['PageLimit'];
				count: components['schemas']['PageCount'];
				items: components['schemas']['Question'][];
			};
		};
		/** @description A page of backlinks. */
		BacklinkPage: {
			data: {
				total: components['schemas']['PageTotal'];
				offset: components['schemas']['PageOffset'];
				limit: components['schemas']['PageLimit'];
				count: components['schemas']['PageCount'];
				items: components['schemas']['Backlink'][];
			};
		};
		/** @description A page of cited pages. */
		CitedPagePage: {
			data: {
				total: components['schemas']['PageTotal'];
				offset: components['schemas']['PageOffset'];
				limit: components['schemas']['PageLimit'];
				count: components['schemas']['PageCount'];
				items: components['schemas']['CitedPage'][];
			};
		};
		/** @description A page of actions. */
		ActionPage: {
			data: {
				total: components['schemas']['PageTotal'];
				offset: components['schemas']['PageOffset'];
				limit: components['schemas']['PageLimit'];
				count: components['schemas']['PageCount'];
				items: components['schemas']['Action'][];
			};
		};
	};
	responses: {
		/** @description A parameter or the body is not valid. */
		InvalidRequest: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				/**
				 * @example {
				 *       "type": "validation-failed",
				 *       "message": "limit must be at most 100"
				 *     }
				 */
				'application/json': components['schemas']['ErrorBody'];
			};
		};
		/** @description The API key is missing or not valid. */
		Unauthorized: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				/**
				 * @example {
				 *       "type": "unauthorized",
				 *       "message": "The API key is not valid"
				 *     }
				 */
				'application/json': components['schemas']['ErrorBody'];
			};
		};
		/** @description The search console is not connected, or its account does not own the property of the URL. */
		SearchConsoleRefusal: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				/**
				 * @example {
				 *       "type": "search-console-not-connected",
				 *       "message": "Connect the search console"
				 *     }
				 */
				'application/json': components['schemas']['ErrorBody'];
			};
		};
		/** @description There is no such record in this workspace. */
		NotFound: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				/**
				 * @example {
				 *       "type": "not-found",
				 *       "message": "Record not found"
				 *     }
				 */
				'application/json': components['schemas']['ErrorBody'];
			};
		};
		/** @description There is no such record in this workspace. */
		NotFoundOrArchived: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				/**
				 * @example {
				 *       "type": "not-found",
				 *       "message": "Record not found"
				 *     }
				 */
				'application/json': components['schemas']['ErrorBody'];
			};
		};
		/** @description Too many requests for now. */
		TooManyRequests: {
			headers: {
				/**
				 * @description How many seconds to wait, or until when.
				 * @example 30
				 */
				'Retry-After'?: string;
				[name: string]: unknown;
			};
			content: {
				/**
				 * @example {
				 *       "type": "rate-limited",
				 *       "message": "Try again in 30 seconds"
				 *     }
				 */
				'application/json': components['schemas']['ErrorBody'];
			};
		};
	};
	parameters: {
		/** @description ID of the record. */
		Id: string;
		/** @description How many records to pass over. */
		Offset: number;
		/** @description How many records a page has at most. */
		Limit: number;
		/** @description Whether the smallest or the largest value comes first. */
		SortOrder: 'asc' | 'desc';
		/**
		 * @description States of the records to list. All states without it.
		 * @example [
		 *       "new"
		 *     ]
		 */
		TriageStatuses: components['schemas']['TriageStatus'][];
	};
	requestBodies: never;
	headers: never;
	pathItems: never;
}
export type Count = components['schemas']['Count'];
export type FilledText = components['schemas']['FilledText'];
export type OptionalText = components['schemas']['OptionalText'];
export type Timestamp = components['schemas']['Timestamp'];
export type Hostname = components['schemas']['Hostname'];
export type TriageStatus = components['schemas']['TriageStatus'];
export type Platform = components['schemas']['Platform'];
export type ActionType = components['schemas']['ActionType'];
export type ActionStatus = components['schemas']['ActionStatus'];
export type Workspace = components['schemas']['Workspace'];
export type Keyword = components['schemas']['Keyword'];
export type ClusterKeyword = components['schemas']['ClusterKeyword'];
export type Competitor = components['schemas']['Competitor'];
export type ForumOpportunity = components['schemas']['ForumOpportunity'];
export type Question = components['schemas']['Question'];
export type Backlink = components['schemas']['Backlink'];
export type Category = components['schemas']['Category'];
export type CitedPage = components['schemas']['CitedPage'];
export type Action = components['schemas']['Action'];
export type Prompt = components['schemas']['Prompt'];
export type CreateKeywords = components['schemas']['CreateKeywords'];
export type CreatedKeywords = components['schemas']['CreatedKeywords'];
export type CreateCompetitor = components['schemas']['CreateCompetitor'];
export type CreateForumOpportunity = components['schemas']['CreateForumOpportunity'];
export type UpdateStatus = components['schemas']['UpdateStatus'];
export type UpdateBacklink = components['schemas']['UpdateBacklink'];
export type UpdateCategory = components['schemas']['UpdateCategory'];
export type CreateAction = components['schemas']['CreateAction'];
export type NotifyIndexing = components['schemas']['NotifyIndexing'];
export type NotificationType = components['schemas']['NotificationType'];
export type InspectUrl = components['schemas']['InspectUrl'];
export type Notification = components['schemas']['Notification'];
export type NotificationRecord = components['schemas']['NotificationRecord'];
export type Inspection = components['schemas']['Inspection'];
export type ErrorBody = components['schemas']['ErrorBody'];
export type PageTotal = components['schemas']['PageTotal'];
export type PageOffset = components['schemas']['PageOffset'];
export type PageLimit = components['schemas']['PageLimit'];
export type PageCount = components['schemas']['PageCount'];
export type KeywordPage = components['schemas']['KeywordPage'];
export type CompetitorPage = components['schemas']['CompetitorPage'];
export type ForumOpportunityPage = components['schemas']['ForumOpportunityPage'];
export type QuestionPage = components['schemas']['QuestionPage'];
export type BacklinkPage = components['schemas']['BacklinkPage'];
export type CitedPagePage = components['schemas']['CitedPagePage'];
export type ActionPage = components['schemas']['ActionPage'];
export type ResponseInvalidRequest = components['responses']['InvalidRequest'];
export type ResponseUnauthorized = components['responses']['Unauthorized'];
export type ResponseSearchConsoleRefusal = components['responses']['SearchConsoleRefusal'];
export type ResponseNotFound = components['responses']['NotFound'];
export type ResponseNotFoundOrArchived = components['responses']['NotFoundOrArchived'];
export type ResponseTooManyRequests = components['responses']['TooManyRequests'];
export type ParameterId = components['parameters']['Id'];
export type ParameterOffset = components['parameters']['Offset'];
export type ParameterLimit = components['parameters']['Limit'];
export type ParameterSortOrder = components['parameters']['SortOrder'];
export type ParameterTriageStatuses = components['parameters']['TriageStatuses'];
export type $defs = Record<string, never>;
export interface operations {
	getWorkspace: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			/** @description The workspace of the API key. */
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					'application/json': components['schemas']['Workspace'];
				};
			};
			401: components['responses']['Unauthorized'];
			429: components['responses']['TooManyRequests'];
		};
	};
	listKeywords: {
		parameters: {
			query?: {
				/** @description How many records to pass over. */
				offset?: components['parameters']['Offset'];
				/** @description How many records a page has at most. */
				limit?: components['parameters']['Limit'];
				/**
				 * @description Text that the keyword must contain.
				 * @example green tea
				 */
				keyword?: string;
				/** @description Keywords of this competitor only. */
				competitorId?: string;
				/** @description What to sort by. */
				sortBy?:
					| 'opportunityIndex'
					| 'competitionIndex'
					| 'searchVolume'
					| 'compositeScore'
					| 'aiScore';
				/** @description Whether the smallest or the largest value comes first. */
				sortOrder?: components['parameters']['SortOrder'];
				/** @description State of the keywords to list. `all` stands for every keyword that is not archived. */
				type?: 'all' | 'planned' | 'processed' | 'new' | 'archived';
			};
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			/** @description A page of keywords. */
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					'application/json': components['schemas']['KeywordPage'];
				};
			};
			400: components['responses']['InvalidRequest'];
			401: components['responses']['Unauthorized'];
			429: components['responses']['TooManyRequests'];
		};
	};
	createKeywords: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				'application/json': components['schemas']['CreateKeywords'];
			};
		};
		responses: {
			/** @description The number of newly inserted keywords. */
			201: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					'application/json': components['schemas']['CreatedKeywords'];
				};
			};
			400: components['responses']['InvalidRequest'];
			401: components['responses']['Unauthorized'];
			429: components['responses']['TooManyRequests'];
		};
	};
	archiveKeyword: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description ID of the record. */
				id: components['parameters']['Id'];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			/** @description The keyword is archived. */
			204: {
				headers: {
					[name: string]: unknown;
				};
				content?: never;
			};
			401: components['responses']['Unauthorized'];
			404: components['responses']['NotFoundOrArchived'];
			429: components['responses']['TooManyRequests'];
		};
	};
	unarchiveKeyword: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description ID of the record. */
				id: components['parameters']['Id'];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			/** @description The keyword is not archived. */
			204: {
				headers: {
					[name: string]: unknown;
				};
				content?: never;
			};
			401: components['responses']['Unauthorized'];
			404: components['responses']['NotFound'];
			429: components['responses']['TooManyRequests'];
		};
	};
	getKeywordCluster: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description ID of the record. */
				id: components['parameters']['Id'];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			/** @description The similar keywords. */
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					'application/json': components['schemas']['ClusterKeyword'][];
				};
			};
			401: components['responses']['Unauthorized'];
			404: components['responses']['NotFound'];
			429: components['responses']['TooManyRequests'];
		};
	};
	listCompetitors: {
		parameters: {
			query?: {
				/** @description How many records to pass over. */
				offset?: components['parameters']['Offset'];
				/** @description How many records a page has at most. */
				limit?: components['parameters']['Limit'];
				/** @description `tracked` comes newest first. `discovered` and `all` come with the most mentioned first. */
				scope?: 'tracked' | 'discovered' | 'all';
			};
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			/** @description A page of competitors. */
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					'application/json': components['schemas']['CompetitorPage'];
				};
			};
			400: components['responses']['InvalidRequest'];
			401: components['responses']['Unauthorized'];
			429: components['responses']['TooManyRequests'];
		};
	};
	createCompetitor: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				'application/json': components['schemas']['CreateCompetitor'];
			};
		};
		responses: {
			/** @description The competitor, which is tracked now. */
			201: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					'application/json': components['schemas']['Competitor'];
				};
			};
			/**
			 * @description The competitor is not tracked. `type` in the body tells why: `competitor-limit-exceeded` or
			 *     `competitor-already-exists`. Invalid values are assumed to be refused with 400 as well.
			 */
			400: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					'application/json': components['schemas']['ErrorBody'];
				};
			};
			401: components['responses']['Unauthorized'];
			429: components['responses']['TooManyRequests'];
		};
	};
	deleteCompetitor: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description ID of the record. */
				id: components['parameters']['Id'];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			/** @description The competitor is removed. */
			204: {
				headers: {
					[name: string]: unknown;
				};
				content?: never;
			};
			401: components['responses']['Unauthorized'];
			/** @description There is no such competitor in this workspace. */
			404: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					/**
					 * @example {
					 *       "type": "not-found",
					 *       "message": "Competitor not found"
					 *     }
					 */
					'application/json': components['schemas']['ErrorBody'];
				};
			};
			429: components['responses']['TooManyRequests'];
		};
	};
	listForumOpportunities: {
		parameters: {
			query?: {
				/** @description How many records to pass over. */
				offset?: components['parameters']['Offset'];
				/** @description How many records a page has at most. */
				limit?: components['parameters']['Limit'];
				/**
				 * @description States of the records to list. All states without it.
				 * @example [
				 *       "new"
				 *     ]
				 */
				status?: components['parameters']['TriageStatuses'];
				/** @description Forum opportunities that are linked to this competitor only. */
				competitorId?: string;
			};
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			/** @description A page of forum opportunities. */
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					'application/json': components['schemas']['ForumOpportunityPage'];
				};
			};
			400: components['responses']['InvalidRequest'];
			401: components['responses']['Unauthorized'];
			429: components['responses']['TooManyRequests'];
		};
	};
	createForumOpportunity: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				'application/json': components['schemas']['CreateForumOpportunity'];
			};
		};
		responses: {
			/** @description The forum opportunity, new or existing. */
			201: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					'application/json': components['schemas']['ForumOpportunity'];
				};
			};
			/** @description A value is not valid, or the competitor is not tracked. */
			400: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					/**
					 * @example {
					 *       "type": "competitor-not-found",
					 *       "message": "No tracked competitor has this ID"
					 *     }
					 */
					'application/json': components['schemas']['ErrorBody'];
				};
			};
			401: components['responses']['Unauthorized'];
			429: components['responses']['TooManyRequests'];
		};
	};
	archiveForumOpportunity: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description ID of the record. */
				id: components['parameters']['Id'];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			/** @description The forum opportunity is archived. */
			204: {
				headers: {
					[name: string]: unknown;
				};
				content?: never;
			};
			401: components['responses']['Unauthorized'];
			404: components['responses']['NotFoundOrArchived'];
			429: components['responses']['TooManyRequests'];
		};
	};
	updateForumOpportunity: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description ID of the record. */
				id: components['parameters']['Id'];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				'application/json': components['schemas']['UpdateStatus'];
			};
		};
		responses: {
			/** @description The forum opportunity with its new status. */
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					'application/json': components['schemas']['ForumOpportunity'];
				};
			};
			400: components['responses']['InvalidRequest'];
			401: components['responses']['Unauthorized'];
			404: components['responses']['NotFoundOrArchived'];
			429: components['responses']['TooManyRequests'];
		};
	};
	listQuestions: {
		parameters: {
			query?: {
				/** @description How many records to pass over. */
				offset?: components['parameters']['Offset'];
				/** @description How many records a page has at most. */
				limit?: components['parameters']['Limit'];
				/**
				 * @description States of the records to list. All states without it.
				 * @example [
				 *       "new"
				 *     ]
				 */
				status?: components['parameters']['TriageStatuses'];
			};
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			/** @description A page of questions. */
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					'application/json': components['schemas']['QuestionPage'];
				};
			};
			400: components['responses']['InvalidRequest'];
			401: components['responses']['Unauthorized'];
			429: components['responses']['TooManyRequests'];
		};
	};
	archiveQuestion: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description ID of the record. */
				id: components['parameters']['Id'];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			/** @description The question is archived. */
			204: {
				headers: {
					[name: string]: unknown;
				};
				content?: never;
			};
			401: components['responses']['Unauthorized'];
			404: components['responses']['NotFoundOrArchived'];
			429: components['responses']['TooManyRequests'];
		};
	};
	updateQuestion: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description ID of the record. */
				id: components['parameters']['Id'];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				'application/json': components['schemas']['UpdateStatus'];
			};
		};
		responses: {
			/** @description The question with its new status. */
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					'application/json': components['schemas']['Question'];
				};
			};
			400: components['responses']['InvalidRequest'];
			401: components['responses']['Unauthorized'];
			404: components['responses']['NotFoundOrArchived'];
			429: components['responses']['TooManyRequests'];
		};
	};
	listBacklinks: {
		parameters: {
			query?: {
				/** @description How many records to pass over. */
				offset?: components['parameters']['Offset'];
				/** @description How many records a page has at most. */
				limit?: components['parameters']['Limit'];
				/**
				 * @description Text that the linking domain must contain.
				 * @example example.com
				 */
				domainFrom?: string;
				/** @description What to sort by. */
				sortBy?: 'domainFromRank' | 'firstSeen' | 'backlinkSpamScore';
				/** @description Whether the smallest or the largest value comes first. */
				sortOrder?: components['parameters']['SortOrder'];
				/** @description Backlinks of this competitor only. It applies only when `type` is `competitors`. */
				competitorId?: string;
				/**
				 * @description - `competitors`: unprocessed backlinks of competitors
				 *     - `mine`: backlinks of the workspace itself only
				 *     - `processed`: backlinks that were marked as processed
				 *     - `archived`: backlinks that were archived
				 */
				type?: 'competitors' | 'mine' | 'processed' | 'archived';
			};
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			/** @description A page of backlinks. */
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					'application/json': components['schemas']['BacklinkPage'];
				};
			};
			400: components['responses']['InvalidRequest'];
			401: components['responses']['Unauthorized'];
			429: components['responses']['TooManyRequests'];
		};
	};
	archiveBacklink: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description ID of the record. */
				id: components['parameters']['Id'];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			/** @description The backlink is archived. */
			204: {
				headers: {
					[name: string]: unknown;
				};
				content?: never;
			};
			401: components['responses']['Unauthorized'];
			404: components['responses']['NotFoundOrArchived'];
			429: components['responses']['TooManyRequests'];
		};
	};
	unarchiveBacklink: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description ID of the record. */
				id: components['parameters']['Id'];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			/** @description The backlink is not archived. */
			204: {
				headers: {
					[name: string]: unknown;
				};
				content?: never;
			};
			401: components['responses']['Unauthorized'];
			404: components['responses']['NotFound'];
			429: components['responses']['TooManyRequests'];
		};
	};
	updateBacklink: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description ID of the record. */
				id: components['parameters']['Id'];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				'application/json': components['schemas']['UpdateBacklink'];
			};
		};
		responses: {
			/** @description The backlink is marked. */
			204: {
				headers: {
					[name: string]: unknown;
				};
				content?: never;
			};
			400: components['responses']['InvalidRequest'];
			401: components['responses']['Unauthorized'];
			404: components['responses']['NotFoundOrArchived'];
			429: components['responses']['TooManyRequests'];
		};
	};
	deleteCategory: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description ID of the record. */
				id: components['parameters']['Id'];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			/** @description The category is deleted. */
			204: {
				headers: {
					[name: string]: unknown;
				};
				content?: never;
			};
			401: components['responses']['Unauthorized'];
			404: components['responses']['NotFound'];
			429: components['responses']['TooManyRequests'];
		};
	};
	updateCategory: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description ID of the record. */
				id: components['parameters']['Id'];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				'application/json': components['schemas']['UpdateCategory'];
			};
		};
		responses: {
			/** @description The category with its new name. */
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					'application/json': components['schemas']['Category'];
				};
			};
			/** @description Another category of the workspace has this name, or a value is invalid. */
			400: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					/**
					 * @example {
					 *       "type": "category-name-already-exists",
					 *       "message": "Another category is named \"Guides\""
					 *     }
					 */
					'application/json': components['schemas']['ErrorBody'];
				};
			};
			401: components['responses']['Unauthorized'];
			404: components['responses']['NotFound'];
			429: components['responses']['TooManyRequests'];
		};
	};
	listCitations: {
		parameters: {
			query?: {
				/** @description How many records to pass over. */
				offset?: components['parameters']['Offset'];
				/** @description How many records a page has at most. */
				limit?: components['parameters']['Limit'];
				/**
				 * @description First day of the period (UTC), inclusive. Without it there is no lower bound.
				 * @example 2026-01-01
				 */
				startDate?: string;
				/**
				 * @description Last day of the period (UTC), inclusive. Without it there is no upper bound.
				 * @example 2026-01-31
				 */
				endDate?: string;
				/**
				 * @description Text that the domain must contain, in upper or lower case.
				 * @example example.com
				 */
				domain?: string;
				/** @description State of the pages to list. `new` is the worklist, what was not yet acted on. */
				type?: 'new' | 'processed' | 'archived';
				/** @description What to sort by. */
				sortBy?: 'citations' | 'lastSeenAt' | 'firstSeenAt' | 'domain';
				/** @description Whether the smallest or the largest value comes first. */
				sortOrder?: 'asc' | 'desc';
			};
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			/** @description A page of cited pages. */
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					'application/json': components['schemas']['CitedPagePage'];
				};
			};
			400: components['responses']['InvalidRequest'];
			401: components['responses']['Unauthorized'];
			429: components['responses']['TooManyRequests'];
		};
	};
	listActions: {
		parameters: {
			query?: {
				/** @description How many records to pass over. */
				offset?: components['parameters']['Offset'];
				/** @description How many records a page has at most. */
				limit?: components['parameters']['Limit'];
				/**
				 * @description Text that the title or the description must contain.
				 * @example tea
				 */
				search?: string;
				/**
				 * @description States of the actions to list.
				 * @example [
				 *       "new",
				 *       "in_progress"
				 *     ]
				 */
				status?: components['schemas']['ActionStatus'][];
				/**
				 * @description Types of the actions to list; all without it. A value that is not known gives nothing, rather than 400.
				 * @example [
				 *       "write_article"
				 *     ]
				 */
				types?: (components['schemas']['ActionType'] | string)[];
			};
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			/** @description A page of actions. */
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					'application/json': components['schemas']['ActionPage'];
				};
			};
			400: components['responses']['InvalidRequest'];
			401: components['responses']['Unauthorized'];
			429: components['responses']['TooManyRequests'];
		};
	};
	createAction: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				'application/json': components['schemas']['CreateAction'];
			};
		};
		responses: {
			/** @description The action. */
			201: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					'application/json': components['schemas']['Action'];
				};
			};
			/**
			 * @description The action is not created: see the codes. A target that is required and missing is refused without a code that
			 *     is known. Invalid values are assumed to be refused with 400 as well.
			 */
			400: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					'application/json': components['schemas']['ErrorBody'];
				};
			};
			401: components['responses']['Unauthorized'];
			429: components['responses']['TooManyRequests'];
		};
	};
	generateAction: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description ID of the record. */
				id: components['parameters']['Id'];
			};
			cookie?: never;
		};
		requestBody?: {
			content: {
				'application/json': Record<string, never>;
			};
		};
		responses: {
			/** @description The article is written, or being written. */
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					'application/json': components['schemas']['Action'];
				};
			};
			/** @description The article of this action cannot be written. */
			400: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					/**
					 * @example {
					 *       "type": "action-not-generatable",
					 *       "message": "Only a planned article that is not written yet"
					 *     }
					 */
					'application/json': components['schemas']['ErrorBody'];
				};
			};
			401: components['responses']['Unauthorized'];
			404: components['responses']['NotFound'];
			429: components['responses']['TooManyRequests'];
		};
	};
	notifyIndexing: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				'application/json': components['schemas']['NotifyIndexing'];
			};
		};
		responses: {
			/** @description The raw notification metadata that the indexing API of the search engine returned. */
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					'application/json': components['schemas']['Notification'];
				};
			};
			400: components['responses']['InvalidRequest'];
			401: components['responses']['Unauthorized'];
			403: components['responses']['SearchConsoleRefusal'];
			429: components['responses']['TooManyRequests'];
		};
	};
	inspectUrl: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				'application/json': components['schemas']['InspectUrl'];
			};
		};
		responses: {
			/** @description What the search engine knows about the page. */
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					'application/json': components['schemas']['Inspection'];
				};
			};
			400: components['responses']['InvalidRequest'];
			401: components['responses']['Unauthorized'];
			403: components['responses']['SearchConsoleRefusal'];
			429: components['responses']['TooManyRequests'];
		};
	};
	unarchivePrompt: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description ID of the record. */
				id: components['parameters']['Id'];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			/** @description The prompt is in the daily run. */
			200: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					'application/json': components['schemas']['Prompt'];
				};
			};
			/** @description The workspace is at the limit of its allowance. */
			400: {
				headers: {
					[name: string]: unknown;
				};
				content: {
					/**
					 * @example {
					 *       "type": "prompt-limit-exceeded",
					 *       "message": "The workspace is at its limit of prompts"
					 *     }
					 */
					'application/json': components['schemas']['ErrorBody'];
				};
			};
			401: components['responses']['Unauthorized'];
			404: components['responses']['NotFound'];
			429: components['responses']['TooManyRequests'];
		};
	};
}
export interface Routes {
	getWorkspace: { method: 'GET'; path: '/v1/workspace' };
	listKeywords: { method: 'GET'; path: '/v1/keywords' };
	createKeywords: { method: 'POST'; path: '/v1/keywords' };
	archiveKeyword: { method: 'DELETE'; path: '/v1/keywords/{id}' };
	unarchiveKeyword: { method: 'PATCH'; path: '/v1/keywords/{id}/unarchive' };
	getKeywordCluster: { method: 'GET'; path: '/v1/keywords/{id}/cluster' };
	listCompetitors: { method: 'GET'; path: '/v1/competitors' };
	createCompetitor: { method: 'POST'; path: '/v1/competitors' };
	deleteCompetitor: { method: 'DELETE'; path: '/v1/competitors/{id}' };
	listForumOpportunities: { method: 'GET'; path: '/v1/forum-opportunities' };
	createForumOpportunity: { method: 'POST'; path: '/v1/forum-opportunities' };
	updateForumOpportunity: { method: 'PATCH'; path: '/v1/forum-opportunities/{id}' };
	archiveForumOpportunity: { method: 'DELETE'; path: '/v1/forum-opportunities/{id}' };
	listQuestions: { method: 'GET'; path: '/v1/people-also-ask' };
	updateQuestion: { method: 'PATCH'; path: '/v1/people-also-ask/{id}' };
	archiveQuestion: { method: 'DELETE'; path: '/v1/people-also-ask/{id}' };
	listBacklinks: { method: 'GET'; path: '/v1/backlinks' };
	archiveBacklink: { method: 'DELETE'; path: '/v1/backlinks/{id}' };
	unarchiveBacklink: { method: 'PATCH'; path: '/v1/backlinks/{id}/unarchive' };
	updateBacklink: { method: 'PATCH'; path: '/v1/backlinks/{id}/update' };
	updateCategory: { method: 'PATCH'; path: '/v1/categories/{id}' };
	deleteCategory: { method: 'DELETE'; path: '/v1/categories/{id}' };
	listCitations: { method: 'GET'; path: '/v1/ai-visibility/citations' };
	listActions: { method: 'GET'; path: '/v1/actions' };
	createAction: { method: 'POST'; path: '/v1/actions' };
	generateAction: { method: 'POST'; path: '/v1/actions/{id}/generate' };
	notifyIndexing: { method: 'POST'; path: '/v1/gsc/index' };
	inspectUrl: { method: 'POST'; path: '/v1/gsc/inspect' };
	unarchivePrompt: { method: 'PATCH'; path: '/v1/ai-visibility/prompts/{id}/unarchive' };
}
