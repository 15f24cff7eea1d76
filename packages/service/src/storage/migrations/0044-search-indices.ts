import * as TableDefinitions from "../TableDefinitions.ts"

// A search reads the ids of each of its conditions, and the ids in its order, from one index.
export const searchIndices = TableDefinitions.run(`CREATE INDEX issues_of_creation ON issues (created_at, id)

CREATE INDEX issues_of_update ON issues (updated_at, created_at, id)

CREATE INDEX issues_of_comments ON issues (comments, created_at, id)

CREATE INDEX issues_of_closing ON issues (closed_at, id) WHERE closed_at IS NOT NULL

CREATE INDEX issues_of_reason ON issues (state_reason, is_pull_request, id) WHERE state = 'closed'

CREATE INDEX issues_of_type ON issues (type_id, id) WHERE type_id IS NOT NULL

CREATE INDEX open_issues ON issues (id) WHERE state = 'open'

CREATE INDEX issues_of_pulls ON issues (id) WHERE is_pull_request = 1

CREATE INDEX locked_issues ON issues (id) WHERE locked = 1

DROP INDEX issues_for_search`)
