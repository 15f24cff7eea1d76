import * as TableDefinitions from "../../TableDefinitions.ts"

// The columns of `requests`, for all processes of a cluster.
export const clusterRequests = TableDefinitions.run(`CREATE TABLE cluster_requests (
  organization_id INTEGER NOT NULL,
  minute INTEGER NOT NULL,
  actor_type TEXT NOT NULL,
  actor_id INTEGER NOT NULL,
  method TEXT NOT NULL,
  route TEXT NOT NULL,
  user_id INTEGER,
  subject_type TEXT NOT NULL,
  subject_id INTEGER NOT NULL,
  subject_name TEXT NOT NULL,
  total INTEGER NOT NULL,
  limited INTEGER NOT NULL,
  last_request INTEGER NOT NULL,
  last_limited INTEGER,
  PRIMARY KEY (organization_id, minute, actor_type, actor_id, method, route)
) STRICT

CREATE INDEX cluster_requests_by_minute ON cluster_requests (minute)`)
