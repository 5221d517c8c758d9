// Made from openapi.yaml by "npm run generate": change that file, not this one

export interface paths {
    "/v1/workspace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the workspace */
        get: operations["getWorkspace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keywords": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List keywords */
        get: operations["listKeywords"];
        put?: never;
        /**
         * Add keywords
         * @description Adds one or more keywords. Duplicates are silently skipped.
         */
        post: operations["createKeywords"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keywords/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Archive a keyword
         * @description Removes the keyword from the worklist. It can be restored.
         */
        delete: operations["archiveKeyword"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keywords/{id}/unarchive": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the record. */
                id: components["parameters"]["Id"];
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
         * @description Returns an archived keyword to the state that is derived from its actions and articles.
         */
        patch: operations["unarchiveKeyword"];
        trace?: never;
    };
    "/v1/keywords/{id}/cluster": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        /**
         * Get the cluster of a keyword
         * @description Returns the keywords that are semantically similar to the seed keyword, without pagination. The array is empty
         *     if the seed is not yet indexed.
         */
        get: operations["getKeywordCluster"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/competitors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List competitors */
        get: operations["listCompetitors"];
        put?: never;
        /**
         * Track a competitor
         * @description The keywords and backlinks of the competitor are discovered during the next background sync, so results are not
         *     immediate. A discovered competitor becomes tracked without a second record. A removed competitor is tracked
         *     again.
         */
        post: operations["createCompetitor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/competitors/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Stop tracking a competitor
         * @description The competitor is no longer listed in any scope. AI answers already attributed to it, its keywords and its
         *     backlinks remain. If its domain is added again, it is tracked again.
         */
        delete: operations["deleteCompetitor"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/forum-opportunities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List forum opportunities
         * @description Archived forum opportunities are never included.
         */
        get: operations["listForumOpportunities"];
        put?: never;
        /**
         * Record a forum opportunity
         * @description If the same `url` already exists in the workspace, the existing record is returned unchanged.
         */
        post: operations["createForumOpportunity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/forum-opportunities/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Archive a forum opportunity
         * @description The forum opportunity is excluded from all lists, and no operation restores it.
         */
        delete: operations["archiveForumOpportunity"];
        options?: never;
        head?: never;
        /** Set the status of a forum opportunity */
        patch: operations["updateForumOpportunity"];
        trace?: never;
    };
    "/v1/people-also-ask": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List related questions
         * @description Archived questions are never returned.
         */
        get: operations["listQuestions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/people-also-ask/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Archive a related question
         * @description The question is excluded from all lists, and no operation restores it.
         */
        delete: operations["archiveQuestion"];
        options?: never;
        head?: never;
        /** Set the status of a related question */
        patch: operations["updateQuestion"];
        trace?: never;
    };
    "/v1/backlinks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List backlinks */
        get: operations["listBacklinks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/backlinks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Archive a backlink
         * @description Removes the backlink from the worklist. It can be restored.
         */
        delete: operations["archiveBacklink"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/backlinks/{id}/unarchive": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the record. */
                id: components["parameters"]["Id"];
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
        patch: operations["unarchiveBacklink"];
        trace?: never;
    };
    "/v1/backlinks/{id}/update": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the record. */
                id: components["parameters"]["Id"];
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
        patch: operations["updateBacklink"];
        trace?: never;
    };
    "/v1/categories/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Permanently delete a category
         * @description For all actions and articles that are assigned to the category, `categoryId` is set to null.
         */
        delete: operations["deleteCategory"];
        options?: never;
        head?: never;
        /** Rename a category */
        patch: operations["updateCategory"];
        trace?: never;
    };
    "/v1/ai-visibility/citations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List cited pages
         * @description Lists the most cited pages first. Without dates, the full history is covered. `citations` counts only the
         *     requested period.
         */
        get: operations["listCitations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List actions
         * @description Sorted by position, then by creation date. Archived actions are never returned.
         */
        get: operations["listActions"];
        put?: never;
        /**
         * Plan an action
         * @description The action is added at the end of the order. The type determines which target is required:
         *
         *     | Type | Required target | Purpose |
         *     | --- | --- | --- |
         *     | `write_article` | none | Plan content |
         *     | `update_article` | `articleId` | Any edit of an existing article, with the instruction in `additionalInstructions` |
         *     | `earn_link` | `backlinkId` | Go after a referring domain that competitors have |
         *     | `get_cited` | `citationId` | Get onto a page that AI engines already cite |
         *     | `reply_thread` | `citationId` | Reply on a cited forum or question-and-answer thread |
         *     | `record_video` | `citationId` | Make your own video |
         *     | `track_competitor` | `competitorId` | Start tracking a discovered brand |
         *     | `add_prompt` | none | Track a buyer question that no prompt covers |
         *     | `publish_article` | `articleId` | Push a finished article to the integrations of the workspace |
         *     | `request_indexing` | `articleId` | Ask a search engine to index a published page |
         *     | `other` | none | Free-form note |
         *
         *     A field that does not apply to the type (`x-applies-to`) is dropped, not rejected.
         */
        post: operations["createAction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/actions/{id}/generate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Write the article of a planned action */
        post: operations["generateAction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/gsc/index": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Notify the search engine that a page was updated or removed
         * @description A success response means that the search engine received the notification. It does not confirm or guarantee
         *     indexing.
         *
         *     Preconditions: there is a search-console connection with the indexing OAuth scope, and the connected account is
         *     a verified owner of the property. A connection that predates indexing support must be reconnected in the
         *     dashboard integrations.
         */
        post: operations["notifyIndexing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/gsc/inspect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check the index status of a page
         * @description The follow-up check after a notification.
         */
        post: operations["inspectUrl"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ai-visibility/prompts/{id}/unarchive": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the record. */
                id: components["parameters"]["Id"];
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
         * @description The prompt takes a slot of the allowance again. The request is refused if the workspace is at its limit.
         */
        patch: operations["unarchivePrompt"];
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A whole number. */
        Count: number;
        /** @description Text with at least one character. */
        FilledText: string;
        /** @description Text, if there is any. */
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
         * @description - `new`: not worked on yet, or set back to new
         *     - `processed`: engaged with or addressed
         * @enum {string}
         */
        TriageStatus: "new" | "processed";
        /**
         * @description A platform that provides AI answers.
         * @enum {string}
         */
        Platform: "chat_assistant" | "answer_engine" | "search_ai_overview" | "search_ai_mode";
        /**
         * @description The kind of work that an action plans.
         * @enum {string}
         */
        ActionType: "write_article" | "update_article" | "earn_link" | "get_cited" | "reply_thread" | "record_video" | "track_competitor" | "add_prompt" | "publish_article" | "request_indexing" | "other";
        /**
         * @description Status of an action. Only `new` and `in_progress` are documented.
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
             * @description Stored as entered: a bare hostname, or a full URL with scheme and trailing slash. Everywhere else, a domain
             *     is a bare hostname, so strip the scheme and the trailing slash before comparing. Articles are published
             *     here. A citation or backlink that points at it is the workspace's own.
             * @example https://www.example.com/
             */
            domain: string | null;
            /** @description What the business does. */
            businessDescription: string | null;
            /** @description Who the business sells to. */
            targetAudience: string | null;
            /** @description What the business says is better about it. */
            benefits: string | null;
            /** @description How generated content should sound. */
            toneOfVoice: string | null;
            industry: string | null;
            /**
             * @description The targeted country, as an ISO 3166-1 alpha-2 code. Search results, keyword volumes and rankings are
             *     reported for this market.
             * @example GB
             */
            location: string | null;
            /**
             * @description The language that content is written in, as an ISO 639-1 code.
             * @example en
             */
            language: string | null;
        };
        /** @description A search term. Its fields are not documented, but five names appear as sort keys. */
        Keyword: {
            id: string;
            keyword?: string;
            searchVolume?: number | null;
            competitionIndex?: number | null;
            opportunityIndex?: number | null;
            compositeScore?: number | null;
            aiScore?: number | null;
            competitorId?: string | null;
            createdAt?: components["schemas"]["Timestamp"];
        };
        /** @description A keyword that is similar to the seed keyword. Its fields are not documented. */
        ClusterKeyword: {
            id?: string;
            keyword?: string;
            searchVolume?: number | null;
            compositeScore?: number | null;
        };
        /** @description Another business, tracked or discovered. */
        Competitor: {
            id: string;
            name: string;
            domain: components["schemas"]["Hostname"];
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
        };
        /** @description A forum thread worth engaging in. */
        ForumOpportunity: {
            id: string;
            title: string;
            /** @description Unique per workspace. */
            url: string;
            status: components["schemas"]["TriageStatus"];
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
            /** @description The tracked competitor that the forum opportunity is linked to, if any. */
            competitorId?: components["schemas"]["OptionalText"];
        };
        /** @description A question that people also ask. */
        Question: {
            id: string;
            question: string;
            status: components["schemas"]["TriageStatus"];
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
            /** @description The article that answers the question, once one exists. */
            articleId?: components["schemas"]["OptionalText"];
        };
        /** @description A link from another site. Its fields are not documented, but four names appear as sort keys or as a filter. */
        Backlink: {
            id: string;
            domainFrom?: string;
            urlFrom?: string;
            urlTo?: string;
            domainFromRank?: number;
            backlinkSpamScore?: number;
            firstSeen?: components["schemas"]["Timestamp"];
            status?: components["schemas"]["TriageStatus"];
            competitorId?: string | null;
        };
        /** @description A category of actions and articles. */
        Category: {
            id: string;
            /** @description Unique within the workspace. */
            name: string;
            color: string;
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
        };
        /** @description A page that AI answers cite. */
        CitedPage: {
            /** Format: uuid */
            id: string;
            url: string;
            domain: components["schemas"]["Hostname"];
            /** @description The title as reported by the citing platform. */
            title: string;
            /** @description Whether the page is on the workspace's own domain. */
            isOwnDomain: boolean;
            status: components["schemas"]["TriageStatus"];
            /** @description When the page was first cited, even if that was before the requested period. */
            firstSeenAt: components["schemas"]["Timestamp"];
            /** @description When the page was last cited, even if that was after the requested period. */
            lastSeenAt: components["schemas"]["Timestamp"];
            /**
             * @description The number of responses in the requested period that cited the page. A response cites a page at most once,
             *     so this is also the number of answers behind it.
             */
            citations: components["schemas"]["Count"];
            /** @description The platforms that cited the page in the requested period. */
            platforms: components["schemas"]["Platform"][];
        };
        /** @description Planned content work. Only the fields that it is created with, and its status, are documented. */
        Action: {
            id: string;
            type: components["schemas"]["ActionType"];
            title?: components["schemas"]["OptionalText"];
            shortDescription?: components["schemas"]["OptionalText"];
            description?: components["schemas"]["OptionalText"];
            additionalInstructions?: components["schemas"]["OptionalText"];
            articleId?: components["schemas"]["OptionalText"];
            backlinkId?: components["schemas"]["OptionalText"];
            citationId?: components["schemas"]["OptionalText"];
            competitorId?: components["schemas"]["OptionalText"];
            slug?: components["schemas"]["OptionalText"];
            /** @description Null if the category was deleted. */
            categoryId?: string | null;
            keywordIds?: string[];
            fanoutQueryIds?: string[];
            status?: components["schemas"]["ActionStatus"];
            position?: number;
            createdAt?: components["schemas"]["Timestamp"];
        };
        /** @description A question that AI platforms are asked every day. Its fields are not documented. */
        Prompt: {
            id?: string;
            prompt?: string;
            archived?: boolean;
        };
        /** @description The field names of the body are not documented. */
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
            /** @description The number of newly inserted keywords. Duplicates are not counted. */
            count: components["schemas"]["Count"];
        };
        /** @description The body contains the domain of the competitor. The name of the field is not documented. */
        CreateCompetitor: {
            domain: components["schemas"]["Hostname"];
        };
        CreateForumOpportunity: {
            /** @example Where to buy green tea? */
            title: components["schemas"]["FilledText"];
            /**
             * @description Unique per workspace.
             * @example https://forum.example.org/t/42
             */
            url: components["schemas"]["FilledText"];
            /** @description The tracked competitor to link the forum opportunity to. */
            competitorId?: components["schemas"]["FilledText"];
        };
        UpdateStatus: {
            status: components["schemas"]["TriageStatus"];
        };
        /** @description The body marks the backlink as processed or new. The name of the field and its values are not documented. */
        UpdateBacklink: {
            status: components["schemas"]["TriageStatus"];
        };
        UpdateCategory: {
            /**
             * @description The new name. It must be unique within the workspace.
             * @example Guides
             */
            name: components["schemas"]["FilledText"];
        };
        /** @description For the target that each type requires, see the operation. */
        CreateAction: {
            type: components["schemas"]["ActionType"];
            /** @description Must be unique among actions. */
            title?: components["schemas"]["FilledText"];
            /** @description The line shown under the title in a list. It should lead with evidence. */
            shortDescription?: string;
            /** @description A fuller explanation, shown when the action is opened. For `write_article`, it is the generation brief. */
            description?: string;
            /** @description Instruction text. For `update_article`, it describes the edit. */
            additionalInstructions?: string;
            articleId?: components["schemas"]["FilledText"];
            backlinkId?: components["schemas"]["FilledText"];
            /** Format: uuid */
            citationId?: string;
            competitorId?: components["schemas"]["FilledText"];
            /** @description Must be unique across actions and articles. */
            slug?: components["schemas"]["FilledText"];
            categoryId?: components["schemas"]["FilledText"];
            keywordIds?: components["schemas"]["FilledText"][];
            fanoutQueryIds?: components["schemas"]["FilledText"][];
        };
        NotifyIndexing: {
            /**
             * @description A fully qualified URL. It must belong to a property that the connected account owns.
             * @example https://www.example.com/blog/green-tea
             */
            url: string;
            type: components["schemas"]["NotificationType"];
        };
        /**
         * @description - `URL_UPDATED`: asks to index or reindex a new or changed page
         *     - `URL_DELETED`: asks to remove the page
         * @enum {string}
         */
        NotificationType: "URL_UPDATED" | "URL_DELETED";
        /** @description The body is not documented. */
        InspectUrl: {
            /** @example https://www.example.com/blog/green-tea */
            url: string;
        };
        /**
         * @description The raw notification metadata of the search engine. Fields other than `latestUpdate` and `latestRemove` are not
         *     documented.
         */
        Notification: {
            /** @description Present only if the search engine has already processed an earlier notification of an update. */
            latestUpdate?: components["schemas"]["NotificationRecord"];
            /** @description Present only if the search engine has already processed an earlier notification of a removal. */
            latestRemove?: components["schemas"]["NotificationRecord"];
            urlNotificationMetadata?: {
                url?: string;
                latestUpdate?: components["schemas"]["NotificationRecord"];
                latestRemove?: components["schemas"]["NotificationRecord"];
            };
        };
        /** @description An earlier notification. Its fields are not documented. */
        NotificationRecord: {
            url?: string;
            type?: components["schemas"]["NotificationType"];
            notifyTime?: components["schemas"]["Timestamp"];
        };
        /** @description The response is not documented. */
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
        /** @description Why the service refused the request. The general shape of the error body is not documented. */
        ErrorBody: {
            /**
             * @description The error code. This field is documented only for creating competitors.
             * @example competitor-already-exists
             */
            type?: string;
            /** @description The error message in the words of the service. */
            message?: string;
        };
        /** @description The total number of matching records. */
        PageTotal: components["schemas"]["Count"];
        /** @description The offset that was applied. */
        PageOffset: components["schemas"]["Count"];
        /** @description The page size that was applied. */
        PageLimit: components["schemas"]["Count"];
        /** @description The number of records on this page. */
        PageCount: components["schemas"]["Count"];
        /** @description A page of keywords. */
        KeywordPage: {
            data: {
                total: components["schemas"]["PageTotal"];
                offset: components["schemas"]["PageOffset"];
                limit: components["schemas"]["PageLimit"];
                count: components["schemas"]["PageCount"];
                items: components["schemas"]["Keyword"][];
            };
        };
        /** @description A page of competitors. */
        CompetitorPage: {
            data: {
                total: components["schemas"]["PageTotal"];
                offset: components["schemas"]["PageOffset"];
                limit: components["schemas"]["PageLimit"];
                count: components["schemas"]["PageCount"];
                items: components["schemas"]["Competitor"][];
            };
        };
        /** @description A page of forum opportunities. */
        ForumOpportunityPage: {
            data: {
                total: components["schemas"]["PageTotal"];
                offset: components["schemas"]["PageOffset"];
                limit: components["schemas"]["PageLimit"];
                count: components["schemas"]["PageCount"];
                items: components["schemas"]["ForumOpportunity"][];
            };
        };
        /** @description A page of questions. */
        QuestionPage: {
            data: {
                total: components["schemas"]["PageTotal"];
                offset: components["schemas"]["PageOffset"];
                limit: components["schemas"]["PageLimit"];
                count: components["schemas"]["PageCount"];
                items: components["schemas"]["Question"][];
            };
        };
        /** @description A page of backlinks. */
        BacklinkPage: {
            data: {
                total: components["schemas"]["PageTotal"];
                offset: components["schemas"]["PageOffset"];
                limit: components["schemas"]["PageLimit"];
                count: components["schemas"]["PageCount"];
                items: components["schemas"]["Backlink"][];
            };
        };
        /** @description A page of cited pages. */
        CitedPagePage: {
            data: {
                total: components["schemas"]["PageTotal"];
                offset: components["schemas"]["PageOffset"];
                limit: components["schemas"]["PageLimit"];
                count: components["schemas"]["PageCount"];
                items: components["schemas"]["CitedPage"][];
            };
        };
        /** @description A page of actions. */
        ActionPage: {
            data: {
                total: components["schemas"]["PageTotal"];
                offset: components["schemas"]["PageOffset"];
                limit: components["schemas"]["PageLimit"];
                count: components["schemas"]["PageCount"];
                items: components["schemas"]["Action"][];
            };
        };
    };
    responses: {
        /** @description A parameter or the body is invalid. */
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
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The API key is missing or invalid. */
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
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The search console is not connected, or the connected account does not own the property that the URL belongs to. */
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
                "application/json": components["schemas"]["ErrorBody"];
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
                "application/json": components["schemas"]["ErrorBody"];
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
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description Too many requests. Try again later. */
        TooManyRequests: {
            headers: {
                /**
                 * @description The number of seconds to wait, or the date until which to wait.
                 * @example 30
                 */
                "Retry-After"?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "rate-limited",
                 *       "message": "Try again in 30 seconds"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
    };
    parameters: {
        /** @description ID of the record. */
        Id: string;
        /** @description The number of records to skip. */
        Offset: number;
        /** @description The maximum number of records per page. */
        Limit: number;
        /** @description Whether to sort in ascending or descending order. */
        SortOrder: "asc" | "desc";
        /**
         * @description Statuses of the records to list. If omitted, records of all statuses are listed.
         * @example [
         *       "new"
         *     ]
         */
        TriageStatuses: components["schemas"]["TriageStatus"][];
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
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    listKeywords: {
        parameters: {
            query?: {
                /** @description The number of records to skip. */
                offset?: components["parameters"]["Offset"];
                /** @description The maximum number of records per page. */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Text that the keyword must contain.
                 * @example green tea
                 */
                keyword?: string;
                /** @description Lists only the keywords of this competitor. */
                competitorId?: string;
                /** @description The sort key. */
                sortBy?: "opportunityIndex" | "competitionIndex" | "searchVolume" | "compositeScore" | "aiScore";
                /** @description Whether to sort in ascending or descending order. */
                sortOrder?: components["parameters"]["SortOrder"];
                /** @description State of the keywords to list. `all` means every keyword that is not archived. */
                type?: "all" | "planned" | "processed" | "new" | "archived";
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
                    "application/json": components["schemas"]["KeywordPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
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
                "application/json": components["schemas"]["CreateKeywords"];
            };
        };
        responses: {
            /** @description The number of newly inserted keywords. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedKeywords"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    archiveKeyword: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keyword was archived. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFoundOrArchived"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    unarchiveKeyword: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keyword is no longer archived. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    getKeywordCluster: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the record. */
                id: components["parameters"]["Id"];
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
                    "application/json": components["schemas"]["ClusterKeyword"][];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    listCompetitors: {
        parameters: {
            query?: {
                /** @description The number of records to skip. */
                offset?: components["parameters"]["Offset"];
                /** @description The maximum number of records per page. */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Which competitors to list. `tracked` is sorted by creation date, newest first. `discovered` and `all` are
                 *     sorted by the number of mentions, highest first.
                 */
                scope?: "tracked" | "discovered" | "all";
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
                    "application/json": components["schemas"]["CompetitorPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
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
                "application/json": components["schemas"]["CreateCompetitor"];
            };
        };
        responses: {
            /** @description The competitor, which is now tracked. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Competitor"];
                };
            };
            /**
             * @description The competitor was not added. `type` in the body gives the reason: `competitor-limit-exceeded` or
             *     `competitor-already-exists`. It is assumed that invalid values are also rejected with 400.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    deleteCompetitor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The competitor was removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
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
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            429: components["responses"]["TooManyRequests"];
        };
    };
    listForumOpportunities: {
        parameters: {
            query?: {
                /** @description The number of records to skip. */
                offset?: components["parameters"]["Offset"];
                /** @description The maximum number of records per page. */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Statuses of the records to list. If omitted, records of all statuses are listed.
                 * @example [
                 *       "new"
                 *     ]
                 */
                status?: components["parameters"]["TriageStatuses"];
                /** @description Lists only the forum opportunities that are linked to this competitor. */
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
                    "application/json": components["schemas"]["ForumOpportunityPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
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
                "application/json": components["schemas"]["CreateForumOpportunity"];
            };
        };
        responses: {
            /** @description The new or existing forum opportunity. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForumOpportunity"];
                };
            };
            /** @description A value is invalid, or the competitor is not tracked. */
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
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    archiveForumOpportunity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The forum opportunity was archived. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFoundOrArchived"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    updateForumOpportunity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateStatus"];
            };
        };
        responses: {
            /** @description The forum opportunity with its new status. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForumOpportunity"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFoundOrArchived"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    listQuestions: {
        parameters: {
            query?: {
                /** @description The number of records to skip. */
                offset?: components["parameters"]["Offset"];
                /** @description The maximum number of records per page. */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Statuses of the records to list. If omitted, records of all statuses are listed.
                 * @example [
                 *       "new"
                 *     ]
                 */
                status?: components["parameters"]["TriageStatuses"];
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
                    "application/json": components["schemas"]["QuestionPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    archiveQuestion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The question was archived. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFoundOrArchived"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    updateQuestion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateStatus"];
            };
        };
        responses: {
            /** @description The question with its new status. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Question"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFoundOrArchived"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    listBacklinks: {
        parameters: {
            query?: {
                /** @description The number of records to skip. */
                offset?: components["parameters"]["Offset"];
                /** @description The maximum number of records per page. */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Text that the linking domain must contain.
                 * @example example.com
                 */
                domainFrom?: string;
                /** @description The sort key. */
                sortBy?: "domainFromRank" | "firstSeen" | "backlinkSpamScore";
                /** @description Whether to sort in ascending or descending order. */
                sortOrder?: components["parameters"]["SortOrder"];
                /** @description Lists only the backlinks of this competitor. Applies only if `type` is `competitors`. */
                competitorId?: string;
                /**
                 * @description - `competitors`: unprocessed backlinks of competitors
                 *     - `mine`: only the workspace's own backlinks
                 *     - `processed`: backlinks marked as processed
                 *     - `archived`: archived backlinks
                 */
                type?: "competitors" | "mine" | "processed" | "archived";
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
                    "application/json": components["schemas"]["BacklinkPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    archiveBacklink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The backlink was archived. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFoundOrArchived"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    unarchiveBacklink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The backlink is no longer archived. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    updateBacklink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateBacklink"];
            };
        };
        responses: {
            /** @description The backlink was marked. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFoundOrArchived"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    deleteCategory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The category was deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    updateCategory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateCategory"];
            };
        };
        responses: {
            /** @description The category with its new name. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Category"];
                };
            };
            /** @description Another category of the workspace already has this name, or a value is invalid. */
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
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    listCitations: {
        parameters: {
            query?: {
                /** @description The number of records to skip. */
                offset?: components["parameters"]["Offset"];
                /** @description The maximum number of records per page. */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description First day of the period (UTC), inclusive. If omitted, there is no lower bound.
                 * @example 2026-01-01
                 */
                startDate?: string;
                /**
                 * @description Last day of the period (UTC), inclusive. If omitted, there is no upper bound.
                 * @example 2026-01-31
                 */
                endDate?: string;
                /**
                 * @description Text that the domain must contain. The filter is not case-sensitive.
                 * @example example.com
                 */
                domain?: string;
                /** @description State of the pages to list. `new` is the worklist of pages that have not been acted on yet. */
                type?: "new" | "processed" | "archived";
                /** @description The sort key. */
                sortBy?: "citations" | "lastSeenAt" | "firstSeenAt" | "domain";
                /** @description Whether to sort in ascending or descending order. */
                sortOrder?: "asc" | "desc";
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
                    "application/json": components["schemas"]["CitedPagePage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    listActions: {
        parameters: {
            query?: {
                /** @description The number of records to skip. */
                offset?: components["parameters"]["Offset"];
                /** @description The maximum number of records per page. */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Text that the title or the description must contain.
                 * @example tea
                 */
                search?: string;
                /**
                 * @description Statuses of the actions to list.
                 * @example [
                 *       "new",
                 *       "in_progress"
                 *     ]
                 */
                status?: components["schemas"]["ActionStatus"][];
                /**
                 * @description Types of the actions to list. If omitted, actions of all types are listed. An unknown value returns nothing
                 *     rather than 400.
                 * @example [
                 *       "write_article"
                 *     ]
                 */
                types?: (components["schemas"]["ActionType"] | string)[];
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
                    "application/json": components["schemas"]["ActionPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
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
                "application/json": components["schemas"]["CreateAction"];
            };
        };
        responses: {
            /** @description The new action. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Action"];
                };
            };
            /**
             * @description The action was not created. For the documented codes, see `x-codes`. A missing required target also gives
             *     400, but its code is not documented. It is assumed that invalid values are rejected with 400 as well.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    generateAction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The article has been written or is being written. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Action"];
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
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
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
                "application/json": components["schemas"]["NotifyIndexing"];
            };
        };
        responses: {
            /** @description The raw notification metadata returned by the indexing API of the search engine. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Notification"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["SearchConsoleRefusal"];
            429: components["responses"]["TooManyRequests"];
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
                "application/json": components["schemas"]["InspectUrl"];
            };
        };
        responses: {
            /** @description What the search engine knows about the page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Inspection"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["SearchConsoleRefusal"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    unarchivePrompt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the record. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The prompt is back in the daily run. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Prompt"];
                };
            };
            /** @description The workspace has reached the limit of its allowance. */
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
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
        };
    };
}
export interface Routes {
    getWorkspace: { method: "GET"; path: "/v1/workspace" };
    listKeywords: { method: "GET"; path: "/v1/keywords" };
    createKeywords: { method: "POST"; path: "/v1/keywords" };
    archiveKeyword: { method: "DELETE"; path: "/v1/keywords/{id}" };
    unarchiveKeyword: { method: "PATCH"; path: "/v1/keywords/{id}/unarchive" };
    getKeywordCluster: { method: "GET"; path: "/v1/keywords/{id}/cluster" };
    listCompetitors: { method: "GET"; path: "/v1/competitors" };
    createCompetitor: { method: "POST"; path: "/v1/competitors" };
    deleteCompetitor: { method: "DELETE"; path: "/v1/competitors/{id}" };
    listForumOpportunities: { method: "GET"; path: "/v1/forum-opportunities" };
    createForumOpportunity: { method: "POST"; path: "/v1/forum-opportunities" };
    updateForumOpportunity: { method: "PATCH"; path: "/v1/forum-opportunities/{id}" };
    archiveForumOpportunity: { method: "DELETE"; path: "/v1/forum-opportunities/{id}" };
    listQuestions: { method: "GET"; path: "/v1/people-also-ask" };
    updateQuestion: { method: "PATCH"; path: "/v1/people-also-ask/{id}" };
    archiveQuestion: { method: "DELETE"; path: "/v1/people-also-ask/{id}" };
    listBacklinks: { method: "GET"; path: "/v1/backlinks" };
    archiveBacklink: { method: "DELETE"; path: "/v1/backlinks/{id}" };
    unarchiveBacklink: { method: "PATCH"; path: "/v1/backlinks/{id}/unarchive" };
    updateBacklink: { method: "PATCH"; path: "/v1/backlinks/{id}/update" };
    updateCategory: { method: "PATCH"; path: "/v1/categories/{id}" };
    deleteCategory: { method: "DELETE"; path: "/v1/categories/{id}" };
    listCitations: { method: "GET"; path: "/v1/ai-visibility/citations" };
    listActions: { method: "GET"; path: "/v1/actions" };
    createAction: { method: "POST"; path: "/v1/actions" };
    generateAction: { method: "POST"; path: "/v1/actions/{id}/generate" };
    notifyIndexing: { method: "POST"; path: "/v1/gsc/index" };
    inspectUrl: { method: "POST"; path: "/v1/gsc/inspect" };
    unarchivePrompt: { method: "PATCH"; path: "/v1/ai-visibility/prompts/{id}/unarchive" };
}
