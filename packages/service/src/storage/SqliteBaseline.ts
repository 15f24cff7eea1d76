/**
 * The schema of a new SQLite database, as the migrations up to `0054_apps` give it, which take ten times as long. A test
 * compares both.
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

export const sqliteBaseline = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const statement of SCHEMA.split("\n\n")) yield* sql.unsafe(statement)
  yield* sql`INSERT INTO key_registry VALUES (0)`
})

const SCHEMA = `CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  login TEXT NOT NULL COLLATE NOCASE UNIQUE,
  type TEXT NOT NULL DEFAULT 'User',
  name TEXT,
  email TEXT COLLATE NOCASE,
  site_admin INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  company TEXT,
  blog TEXT,
  location TEXT,
  bio TEXT,
  twitter_username TEXT,
  hireable INTEGER,
  suspended_at TEXT
) STRICT

CREATE TABLE repositories (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  owner_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL COLLATE NOCASE,
  git TEXT NOT NULL UNIQUE,
  description TEXT,
  homepage TEXT,
  private INTEGER NOT NULL DEFAULT 0,
  archived INTEGER NOT NULL DEFAULT 0,
  topics TEXT NOT NULL DEFAULT '[]',
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  squash_merge_commit_title TEXT NOT NULL DEFAULT 'COMMIT_OR_PR_TITLE',
  has_issues INTEGER NOT NULL DEFAULT 1,
  has_projects INTEGER NOT NULL DEFAULT 1,
  has_wiki INTEGER NOT NULL DEFAULT 1,
  has_discussions INTEGER NOT NULL DEFAULT 0,
  has_downloads INTEGER NOT NULL DEFAULT 1,
  is_template INTEGER NOT NULL DEFAULT 0,
  allow_squash_merge INTEGER NOT NULL DEFAULT 1,
  allow_merge_commit INTEGER NOT NULL DEFAULT 1,
  allow_rebase_merge INTEGER NOT NULL DEFAULT 1,
  allow_auto_merge INTEGER NOT NULL DEFAULT 0,
  allow_update_branch INTEGER NOT NULL DEFAULT 0,
  allow_forking INTEGER NOT NULL DEFAULT 1,
  delete_branch_on_merge INTEGER NOT NULL DEFAULT 0,
  web_commit_signoff_required INTEGER NOT NULL DEFAULT 0,
  squash_merge_commit_message TEXT NOT NULL DEFAULT 'COMMIT_MESSAGES',
  merge_commit_title TEXT NOT NULL DEFAULT 'MERGE_MESSAGE',
  merge_commit_message TEXT NOT NULL DEFAULT 'PR_TITLE',
  template_id INTEGER REFERENCES repositories (id) ON DELETE SET NULL,
  parent_id INTEGER REFERENCES repositories (id) ON DELETE SET NULL,
  source_id INTEGER REFERENCES repositories (id) ON DELETE SET NULL,
  UNIQUE (owner_id, name)
) STRICT

CREATE TABLE enterprises (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  slug TEXT NOT NULL COLLATE NOCASE UNIQUE
) STRICT

CREATE TABLE enterprise_admins (
  enterprise_id INTEGER NOT NULL REFERENCES enterprises (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (enterprise_id, user_id)
) STRICT, WITHOUT ROWID

CREATE TABLE organizations (
  user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  plan TEXT NOT NULL DEFAULT 'free',
  enterprise_id INTEGER REFERENCES enterprises (id) ON DELETE SET NULL,
  base_permission TEXT NOT NULL DEFAULT 'read',
  members_can_create_repositories INTEGER NOT NULL DEFAULT 1,
  description TEXT,
  company TEXT,
  blog TEXT,
  location TEXT
) STRICT

CREATE TABLE memberships (
  organization_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  role TEXT NOT NULL,
  public INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, user_id)
) STRICT, WITHOUT ROWID

CREATE TABLE collaborators (
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  permission TEXT NOT NULL,
  PRIMARY KEY (repository_id, user_id)
) STRICT, WITHOUT ROWID

CREATE TABLE ref_changes (
  id TEXT PRIMARY KEY,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  ref TEXT NOT NULL,
  before TEXT,
  after TEXT,
  api TEXT NOT NULL,
  html TEXT NOT NULL,
  process INTEGER NOT NULL,
  begun_at INTEGER NOT NULL,
  git INTEGER,
  moved INTEGER NOT NULL DEFAULT 0,
  "actor_id" INTEGER REFERENCES users (id) ON DELETE SET NULL
) STRICT, WITHOUT ROWID

CREATE TABLE ssh_keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL UNIQUE,
  verified INTEGER NOT NULL,
  read_only INTEGER NOT NULL,
  created_at TEXT NOT NULL
) STRICT

CREATE INDEX ssh_keys_of_user ON ssh_keys (user_id)

CREATE TABLE pgp_keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  fingerprint TEXT NOT NULL UNIQUE,
  armored TEXT NOT NULL,
  created_at TEXT NOT NULL,
  name TEXT
) STRICT

CREATE TABLE user_emails (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  email TEXT NOT NULL COLLATE NOCASE,
  verified INTEGER NOT NULL,
  is_primary INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (email, user_id)
) STRICT, WITHOUT ROWID

CREATE TABLE key_registry (
  revision INTEGER NOT NULL
) STRICT

CREATE TRIGGER ssh_keys_INSERT AFTER INSERT ON ssh_keys
  BEGIN UPDATE key_registry SET revision = revision + 1; END

CREATE TRIGGER ssh_keys_UPDATE AFTER UPDATE ON ssh_keys
  BEGIN UPDATE key_registry SET revision = revision + 1; END

CREATE TRIGGER ssh_keys_DELETE AFTER DELETE ON ssh_keys
  BEGIN UPDATE key_registry SET revision = revision + 1; END

CREATE TRIGGER pgp_keys_INSERT AFTER INSERT ON pgp_keys
  BEGIN UPDATE key_registry SET revision = revision + 1; END

CREATE TRIGGER pgp_keys_UPDATE AFTER UPDATE ON pgp_keys
  BEGIN UPDATE key_registry SET revision = revision + 1; END

CREATE TRIGGER pgp_keys_DELETE AFTER DELETE ON pgp_keys
  BEGIN UPDATE key_registry SET revision = revision + 1; END

CREATE TRIGGER user_emails_INSERT AFTER INSERT ON user_emails
  BEGIN UPDATE key_registry SET revision = revision + 1; END

CREATE TRIGGER user_emails_UPDATE AFTER UPDATE ON user_emails
  BEGIN UPDATE key_registry SET revision = revision + 1; END

CREATE TRIGGER user_emails_DELETE AFTER DELETE ON user_emails
  BEGIN UPDATE key_registry SET revision = revision + 1; END

CREATE TRIGGER users_INSERT AFTER INSERT ON users
  BEGIN UPDATE key_registry SET revision = revision + 1; END

CREATE TRIGGER users_UPDATE AFTER UPDATE ON users
  BEGIN UPDATE key_registry SET revision = revision + 1; END

CREATE TRIGGER users_DELETE AFTER DELETE ON users
  BEGIN UPDATE key_registry SET revision = revision + 1; END

CREATE TABLE repository_properties (
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  name TEXT NOT NULL COLLATE NOCASE,
  "values" TEXT NOT NULL,
  PRIMARY KEY (repository_id, name)
) STRICT, WITHOUT ROWID

CREATE TABLE blocks (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  blocked_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (user_id, blocked_id)
) STRICT, WITHOUT ROWID

CREATE TABLE settings (
  subject TEXT NOT NULL,
  subject_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (subject, subject_id, name)
) STRICT, WITHOUT ROWID

CREATE TABLE projects (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  owner_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  fields TEXT NOT NULL DEFAULT '[]',
  UNIQUE (owner_id, number)
) STRICT

CREATE TABLE project_views (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  value TEXT NOT NULL,
  created_at TEXT NOT NULL,
  "creator_id" INTEGER REFERENCES users (id) ON DELETE SET NULL,
  UNIQUE (project_id, number)
) STRICT

CREATE TABLE billing_usage (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  organization_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  date TEXT NOT NULL,
  value TEXT NOT NULL
) STRICT

CREATE INDEX billing_usage_by_date ON billing_usage (organization_id, date)

CREATE TABLE commit_comments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  commit_id TEXT NOT NULL,
  path TEXT,
  position INTEGER,
  line INTEGER,
  body TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT

CREATE INDEX commit_comments_of_repository ON commit_comments (repository_id)

CREATE TABLE review_comments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  pull_number INTEGER NOT NULL,
  review_id INTEGER,
  in_reply_to_id INTEGER,
  commit_id TEXT NOT NULL,
  original_commit_id TEXT NOT NULL,
  path TEXT NOT NULL,
  diff_hunk TEXT NOT NULL,
  place TEXT NOT NULL,
  body TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  thread_id INTEGER REFERENCES review_threads (id) ON DELETE CASCADE,
  is_pending INTEGER NOT NULL DEFAULT 0
) STRICT

CREATE INDEX review_comments_by_creation ON review_comments (repository_id, created_at)

CREATE INDEX review_comments_by_update ON review_comments (repository_id, updated_at)

CREATE TABLE artifacts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  digest TEXT NOT NULL,
  size_in_bytes INTEGER NOT NULL,
  run_id INTEGER,
  head_repository_id INTEGER,
  head_branch TEXT,
  head_sha TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  expires_at TEXT NOT NULL
) STRICT

CREATE INDEX artifacts_of_repository ON artifacts (repository_id, created_at)

CREATE UNIQUE INDEX artifacts_of_run ON artifacts (repository_id, run_id, name) WHERE run_id IS NOT NULL

CREATE INDEX artifacts_by_digest ON artifacts (digest)

CREATE TABLE apps (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  slug TEXT NOT NULL COLLATE NOCASE UNIQUE,
  owner_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
  client_id TEXT UNIQUE,
  client_secret TEXT,
  public_key TEXT,
  permissions TEXT,
  events TEXT,
  created_at TEXT NOT NULL DEFAULT '',
  updated_at TEXT NOT NULL DEFAULT '',
  details TEXT NOT NULL DEFAULT '{}'
) STRICT

CREATE TABLE installations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  app_id INTEGER NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
  account_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  permissions TEXT NOT NULL DEFAULT '{}',
  events TEXT NOT NULL DEFAULT '[]',
  selection TEXT NOT NULL DEFAULT 'all',
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  suspended_at TEXT,
  suspended_by INTEGER REFERENCES users (id) ON DELETE SET NULL
) STRICT

CREATE TABLE installation_repositories (
  installation_id INTEGER NOT NULL REFERENCES installations (id) ON DELETE CASCADE,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  PRIMARY KEY (installation_id, repository_id)
) STRICT, WITHOUT ROWID

CREATE TABLE "tokens" (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  hash TEXT NOT NULL UNIQUE,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  scopes TEXT NOT NULL DEFAULT '[]',
  permissions TEXT NOT NULL DEFAULT '{}',
  installation_id INTEGER REFERENCES installations (id) ON DELETE CASCADE,
  repositories TEXT,
  expires_at TEXT,
  created_at TEXT NOT NULL
) STRICT

CREATE TABLE former_names (
  owner_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL COLLATE NOCASE,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  PRIMARY KEY (owner_id, name)
) STRICT, WITHOUT ROWID

CREATE INDEX commit_comments_of_commit ON commit_comments (repository_id, commit_id)

CREATE TABLE clones (
  repository_id INTEGER PRIMARY KEY REFERENCES repositories (id) ON DELETE CASCADE,
  forge TEXT NOT NULL,
  remote_id INTEGER NOT NULL,
  pushed_at TEXT,
  UNIQUE (forge, remote_id)
) STRICT

CREATE TABLE saved_searches (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL COLLATE NOCASE,
  query TEXT NOT NULL,
  seen BLOB NOT NULL,
  is_exact INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  seen_at TEXT NOT NULL,
  UNIQUE (user_id, name)
) STRICT

CREATE TABLE removals (
  path TEXT PRIMARY KEY,
  digest TEXT
) STRICT, WITHOUT ROWID

CREATE TABLE milestones (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  creator_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  title TEXT NOT NULL,
  description TEXT,
  due_on TEXT,
  closed_at TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (repository_id, number),
  UNIQUE (repository_id, title)
) STRICT

CREATE TABLE milestone_numbers (
  repository_id INTEGER PRIMARY KEY REFERENCES repositories (id) ON DELETE CASCADE,
  last INTEGER NOT NULL
) STRICT

CREATE TABLE "events" (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  type TEXT NOT NULL,
  actor_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  public INTEGER NOT NULL,
  payload TEXT NOT NULL,
  change TEXT UNIQUE,
  created_at TEXT NOT NULL
) STRICT

CREATE INDEX events_by_repository ON events (repository_id, id)

CREATE INDEX events_by_actor ON events (actor_id, id)

CREATE TABLE issue_numbers (
  repository_id INTEGER PRIMARY KEY REFERENCES repositories (id) ON DELETE CASCADE,
  last INTEGER NOT NULL,
  open_issues INTEGER NOT NULL DEFAULT 0
) STRICT

CREATE TABLE issue_types (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  organization_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL COLLATE NOCASE,
  description TEXT,
  color TEXT,
  is_enabled INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT

CREATE UNIQUE INDEX issue_types_by_name ON issue_types (organization_id, name)

CREATE TABLE labels (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  name TEXT NOT NULL COLLATE NOCASE,
  color TEXT NOT NULL,
  description TEXT,
  is_default INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT

CREATE UNIQUE INDEX labels_by_name ON labels (repository_id, name)

CREATE TABLE issues (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  is_pull_request INTEGER NOT NULL DEFAULT 0,
  title TEXT NOT NULL,
  body TEXT,
  author_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  state TEXT NOT NULL DEFAULT 'open' CHECK (state = 'open' OR state = 'closed'),
  state_reason TEXT,
  closed_at TEXT,
  closed_by_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  locked INTEGER NOT NULL DEFAULT 0,
  active_lock_reason TEXT,
  milestone_id INTEGER REFERENCES milestones (id) ON DELETE SET NULL,
  type_id INTEGER REFERENCES issue_types (id) ON DELETE SET NULL,
  duplicate_of_id INTEGER REFERENCES issues (id) ON DELETE SET NULL,
  parent_id INTEGER REFERENCES issues (id) ON DELETE SET NULL,
  parent_position INTEGER,
  pinned_at TEXT,
  comments INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (repository_id, number)
) STRICT

CREATE INDEX issues_by_creation ON issues (repository_id, state, created_at, number)

CREATE INDEX issues_by_update ON issues (repository_id, updated_at)

CREATE INDEX issues_by_author ON issues (author_id)

CREATE INDEX issues_by_milestone ON issues (milestone_id)

CREATE INDEX issues_by_parent ON issues (parent_id)

CREATE TABLE issue_assignees (
  issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (issue_id, user_id)
) STRICT

CREATE INDEX issue_assignees_by_user ON issue_assignees (user_id)

CREATE TABLE issue_labels (
  issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  label_id INTEGER NOT NULL REFERENCES labels (id) ON DELETE CASCADE,
  PRIMARY KEY (issue_id, label_id)
) STRICT

CREATE TABLE issue_comments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  author_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  body TEXT NOT NULL,
  pinned_at TEXT,
  pinned_by_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT

CREATE INDEX issue_comments_by_issue ON issue_comments (issue_id, id)

CREATE INDEX issue_comments_by_repository ON issue_comments (repository_id, id)

CREATE TABLE reactions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  content TEXT NOT NULL,
  issue_id INTEGER REFERENCES issues (id) ON DELETE CASCADE,
  issue_comment_id INTEGER REFERENCES issue_comments (id) ON DELETE CASCADE,
  commit_comment_id INTEGER REFERENCES commit_comments (id) ON DELETE CASCADE,
  review_comment_id INTEGER REFERENCES review_comments (id) ON DELETE CASCADE,
  created_at TEXT NOT NULL,
  release_id INTEGER REFERENCES releases (id) ON DELETE CASCADE
) STRICT

CREATE UNIQUE INDEX reactions_to_issue ON reactions (issue_id, user_id, content)

CREATE UNIQUE INDEX reactions_to_issue_comment ON reactions (issue_comment_id, user_id, content)

CREATE UNIQUE INDEX reactions_to_commit_comment ON reactions (commit_comment_id, user_id, content)

CREATE UNIQUE INDEX reactions_to_review_comment ON reactions (review_comment_id, user_id, content)

CREATE TABLE issue_events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  actor_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  event TEXT NOT NULL,
  data TEXT NOT NULL DEFAULT '{}',
  assignee_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  commit_id TEXT,
  commit_repository_id INTEGER REFERENCES repositories (id) ON DELETE CASCADE,
  other_issue_id INTEGER REFERENCES issues (id) ON DELETE CASCADE,
  comment_id INTEGER REFERENCES issue_comments (id) ON DELETE CASCADE,
  created_at TEXT NOT NULL,
  team_id INTEGER REFERENCES teams (id) ON DELETE SET NULL
) STRICT

CREATE INDEX issue_events_by_issue ON issue_events (issue_id, id)

CREATE INDEX issue_events_by_repository ON issue_events (repository_id, id)

CREATE INDEX issue_events_by_actor ON issue_events (actor_id, event)

CREATE TABLE issue_dependencies (
  issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  blocked_by_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  created_at TEXT NOT NULL,
  PRIMARY KEY (issue_id, blocked_by_id)
) STRICT

CREATE INDEX issue_dependencies_by_blocker ON issue_dependencies (blocked_by_id)

CREATE TABLE transferred_issues (
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  PRIMARY KEY (repository_id, number)
) STRICT

CREATE TABLE imported_rows (
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  foreign_id TEXT NOT NULL,
  row_id INTEGER NOT NULL,
  PRIMARY KEY (repository_id, kind, foreign_id)
) STRICT

CREATE TABLE issue_texts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  comment_id INTEGER REFERENCES issue_comments (id) ON DELETE CASCADE,
  place TEXT NOT NULL,
  words TEXT NOT NULL
) STRICT

CREATE INDEX issue_texts_by_issue ON issue_texts (issue_id, place)

CREATE UNIQUE INDEX issue_texts_by_comment ON issue_texts (comment_id)

CREATE TABLE deploy_keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  added_by_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  title TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL UNIQUE,
  read_only INTEGER NOT NULL,
  created_at TEXT NOT NULL
) STRICT

CREATE INDEX deploy_keys_by_repository ON deploy_keys (repository_id, id)

CREATE TABLE linked_branches (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  UNIQUE (issue_id, repository_id, name)
) STRICT

CREATE INDEX linked_branches_by_name ON linked_branches (repository_id, name)

CREATE TABLE repository_invitations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  invitee_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  inviter_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  permission TEXT NOT NULL,
  created_at TEXT NOT NULL,
  UNIQUE (repository_id, invitee_id)
) STRICT

CREATE INDEX repository_invitations_by_invitee ON repository_invitations (invitee_id, id)

CREATE TABLE teams (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  organization_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  parent_id INTEGER REFERENCES teams (id) ON DELETE SET NULL,
  name TEXT NOT NULL,
  slug TEXT NOT NULL COLLATE NOCASE,
  description TEXT,
  privacy TEXT NOT NULL,
  notification_setting TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT

CREATE UNIQUE INDEX teams_by_slug ON teams (organization_id, slug)

CREATE INDEX teams_by_parent ON teams (parent_id)

CREATE TABLE team_ancestors (
  team_id INTEGER NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  ancestor_id INTEGER NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  PRIMARY KEY (team_id, ancestor_id)
) STRICT

CREATE INDEX team_ancestors_by_ancestor ON team_ancestors (ancestor_id, team_id)

CREATE TABLE team_members (
  team_id INTEGER NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  role TEXT NOT NULL,
  PRIMARY KEY (team_id, user_id)
) STRICT

CREATE INDEX team_members_by_user ON team_members (user_id, team_id)

CREATE TABLE team_repositories (
  team_id INTEGER NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  permission TEXT NOT NULL,
  PRIMARY KEY (team_id, repository_id)
) STRICT

CREATE INDEX team_repositories_by_repository ON team_repositories (repository_id, team_id)

CREATE INDEX memberships_by_user ON memberships (user_id, organization_id)

CREATE INDEX collaborators_by_user ON collaborators (user_id, repository_id)

CREATE TABLE organization_invitations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  organization_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  invitee_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  inviter_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  role TEXT NOT NULL,
  created_at TEXT NOT NULL,
  UNIQUE (organization_id, invitee_id)
) STRICT

CREATE INDEX organization_invitations_by_invitee ON organization_invitations (invitee_id, id)

CREATE TABLE organization_invitation_teams (
  invitation_id INTEGER NOT NULL REFERENCES organization_invitations (id) ON DELETE CASCADE,
  team_id INTEGER NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  role TEXT NOT NULL,
  PRIMARY KEY (invitation_id, team_id)
) STRICT

CREATE TABLE stars (
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at TEXT NOT NULL,
  PRIMARY KEY (repository_id, user_id)
) STRICT

CREATE INDEX stars_by_user ON stars (user_id, created_at)

CREATE INDEX stars_by_time ON stars (repository_id, created_at, user_id)

CREATE TABLE repository_subscriptions (
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  ignored INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (repository_id, user_id)
) STRICT

CREATE INDEX repository_subscriptions_by_user ON repository_subscriptions (user_id, repository_id)

CREATE TABLE issue_subscriptions (
  issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  reason TEXT NOT NULL,
  ignored INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (issue_id, user_id)
) STRICT

CREATE INDEX issue_subscriptions_by_user ON issue_subscriptions (user_id, issue_id)

CREATE TABLE notifications (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  reason TEXT NOT NULL,
  unread INTEGER NOT NULL,
  done INTEGER NOT NULL,
  updated_at TEXT NOT NULL,
  last_read_at TEXT,
  changed_at TEXT NOT NULL
) STRICT

CREATE UNIQUE INDEX notifications_by_issue ON notifications (issue_id, user_id)

CREATE INDEX notifications_by_user ON notifications (user_id, done, updated_at, id, unread, reason, repository_id)

CREATE INDEX notifications_by_repository ON notifications (repository_id)

CREATE INDEX notifications_by_change ON notifications (user_id, changed_at)

CREATE INDEX user_emails_by_user ON user_emails (user_id)

CREATE TABLE followers (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  follower_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at TEXT NOT NULL,
  PRIMARY KEY (user_id, follower_id)
) STRICT

CREATE INDEX followers_by_time ON followers (user_id, created_at, follower_id)

CREATE INDEX followers_by_follower ON followers (follower_id, created_at, user_id)

CREATE TABLE ssh_signing_keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL
) STRICT

CREATE INDEX ssh_signing_keys_by_user ON ssh_signing_keys (user_id)

CREATE INDEX pgp_keys_by_user ON pgp_keys (user_id)

CREATE TABLE pgp_key_parts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  pgp_key INTEGER NOT NULL REFERENCES pgp_keys (id) ON DELETE CASCADE,
  key_id TEXT NOT NULL
) STRICT

CREATE UNIQUE INDEX pgp_key_parts_by_key_id ON pgp_key_parts (key_id, pgp_key)

CREATE INDEX pgp_key_parts_by_key ON pgp_key_parts (pgp_key)

CREATE TRIGGER ssh_signing_keys_INSERT AFTER INSERT ON ssh_signing_keys
  BEGIN UPDATE key_registry SET revision = revision + 1; END

CREATE TRIGGER ssh_signing_keys_UPDATE AFTER UPDATE ON ssh_signing_keys
  BEGIN UPDATE key_registry SET revision = revision + 1; END

CREATE TRIGGER ssh_signing_keys_DELETE AFTER DELETE ON ssh_signing_keys
  BEGIN UPDATE key_registry SET revision = revision + 1; END

CREATE TABLE user_texts (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  place TEXT NOT NULL,
  words TEXT NOT NULL,
  PRIMARY KEY (user_id, place)
) STRICT

CREATE INDEX labels_of_name ON labels (name)

CREATE INDEX issues_of_label ON issue_labels (label_id, issue_id)

CREATE INDEX issue_comments_by_author ON issue_comments (author_id, issue_id)

CREATE INDEX issue_mentions ON issue_events (actor_id, issue_id) WHERE event = 'mentioned'

CREATE INDEX repositories_by_template ON repositories (template_id)

CREATE TABLE autolinks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  key_prefix TEXT NOT NULL COLLATE NOCASE,
  url_template TEXT NOT NULL,
  is_alphanumeric INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT

CREATE UNIQUE INDEX autolinks_by_prefix ON autolinks (repository_id, key_prefix)

CREATE INDEX repositories_by_parent ON repositories (parent_id, id)

CREATE INDEX repositories_by_source ON repositories (source_id, owner_id, id)

CREATE TABLE object_pools (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  base_id INTEGER REFERENCES object_pools (id) ON DELETE SET NULL
) STRICT

CREATE INDEX object_pools_by_base ON object_pools (base_id)

CREATE TABLE object_pool_uses (
  pool_id INTEGER NOT NULL REFERENCES object_pools (id) ON DELETE CASCADE,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  PRIMARY KEY (pool_id, repository_id)
) STRICT

CREATE INDEX object_pool_uses_by_repository ON object_pool_uses (repository_id, pool_id)

CREATE VIEW granted_roles AS
  SELECT id AS repository_id, owner_id AS user_id, 'admin' AS permission FROM repositories
  UNION ALL
  SELECT repository_id, user_id, permission FROM collaborators
  UNION ALL
  SELECT r.id, m.user_id, CASE m.role WHEN 'owner' THEN 'admin' ELSE coalesce(o.base_permission, 'read') END
  FROM memberships m
  JOIN repositories r ON r.owner_id = m.organization_id
  LEFT JOIN organizations o ON o.user_id = m.organization_id
  WHERE m.role = 'owner' OR coalesce(o.base_permission, 'read') <> 'none'
  UNION ALL
  SELECT tr.repository_id, tm.user_id, tr.permission
  FROM team_members tm
  JOIN team_ancestors a ON a.team_id = tm.team_id
  JOIN team_repositories tr ON tr.team_id = a.ancestor_id
  UNION ALL
  SELECT f.id, m.user_id, 'admin'
  FROM memberships m
  JOIN repositories r ON r.owner_id = m.organization_id
  JOIN repositories f ON f.source_id = r.id
  WHERE m.role = 'owner' AND f.private = 1
  UNION ALL
  SELECT f.id, tm.user_id, tr.permission
  FROM team_members tm
  JOIN team_ancestors a ON a.team_id = tm.team_id
  JOIN team_repositories tr ON tr.team_id = a.ancestor_id
  JOIN repositories f ON f.source_id = tr.repository_id
  WHERE f.private = 1

CREATE VIEW repository_roles AS
  SELECT g.repository_id, g.user_id, g.permission FROM granted_roles g
  WHERE NOT EXISTS (
    SELECT 1 FROM repositories f
    WHERE f.id = g.repository_id AND f.private = 1 AND f.source_id IS NOT NULL
      AND NOT EXISTS (
        SELECT 1 FROM granted_roles root WHERE root.repository_id = f.source_id AND root.user_id = g.user_id)
      AND NOT EXISTS (SELECT 1 FROM users o WHERE o.id = g.user_id AND o.type = 'Organization'))

CREATE TABLE pull_requests (
  issue_id INTEGER PRIMARY KEY REFERENCES issues (id) ON DELETE CASCADE,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  base_ref TEXT NOT NULL,
  base_sha TEXT NOT NULL,
  head_repository_id INTEGER REFERENCES repositories (id) ON DELETE SET NULL,
  head_user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  head_ref TEXT NOT NULL,
  head_sha TEXT NOT NULL,
  draft INTEGER NOT NULL DEFAULT 0,
  maintainer_can_modify INTEGER NOT NULL DEFAULT 0,
  merged_at TEXT,
  merged_by_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  merge_commit_sha TEXT,
  tested_base TEXT NOT NULL,
  tested_head TEXT NOT NULL,
  commits INTEGER NOT NULL,
  additions INTEGER NOT NULL,
  deletions INTEGER NOT NULL,
  changed_files INTEGER NOT NULL,
  mergeable INTEGER,
  rebaseable INTEGER,
  behind INTEGER NOT NULL DEFAULT 0,
  head_pusher_id INTEGER REFERENCES users (id) ON DELETE SET NULL
) STRICT

CREATE INDEX pull_requests_by_base ON pull_requests (repository_id, base_ref)

CREATE INDEX pull_requests_by_head ON pull_requests (head_repository_id, head_ref)

CREATE INDEX pull_requests_by_commit ON pull_requests (repository_id, head_sha)

CREATE INDEX pull_requests_by_merge ON pull_requests (repository_id, merge_commit_sha)

CREATE TABLE pull_request_merges (
  issue_id INTEGER PRIMARY KEY REFERENCES issues (id) ON DELETE CASCADE,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  base_ref TEXT NOT NULL,
  after TEXT NOT NULL,
  head TEXT
) STRICT

CREATE INDEX pull_request_merges_by_move ON pull_request_merges (repository_id, base_ref, after)

CREATE TABLE commit_statuses (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  sha TEXT NOT NULL,
  context TEXT COLLATE NOCASE NOT NULL,
  state TEXT NOT NULL,
  description TEXT,
  target_url TEXT,
  creator_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  is_latest INTEGER NOT NULL,
  created_at TEXT NOT NULL
) STRICT

CREATE INDEX commit_statuses_by_commit ON commit_statuses (repository_id, sha, id)

CREATE INDEX commit_statuses_by_context ON commit_statuses (repository_id, sha, context)

CREATE INDEX commit_statuses_latest ON commit_statuses (repository_id, sha, id) WHERE is_latest = 1

CREATE INDEX commit_statuses_by_creator ON commit_statuses (creator_id)

CREATE TABLE check_suites (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  app_id INTEGER NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
  head_sha TEXT NOT NULL,
  head_branch TEXT,
  before_sha TEXT,
  after_sha TEXT,
  status TEXT NOT NULL,
  conclusion TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (repository_id, head_sha, app_id)
) STRICT

CREATE INDEX check_suites_by_app ON check_suites (app_id)

CREATE TABLE check_runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  suite_id INTEGER NOT NULL REFERENCES check_suites (id) ON DELETE CASCADE,
  app_id INTEGER NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
  head_sha TEXT NOT NULL,
  name TEXT NOT NULL,
  status TEXT NOT NULL,
  conclusion TEXT,
  external_id TEXT,
  details_url TEXT,
  started_at TEXT,
  completed_at TEXT,
  title TEXT,
  summary TEXT,
  text TEXT,
  actions TEXT,
  annotations_count INTEGER NOT NULL,
  is_latest INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  workflow_run_id INTEGER REFERENCES workflow_runs (id) ON DELETE CASCADE,
  workflow_id INTEGER REFERENCES workflows (id) ON DELETE CASCADE
) STRICT

CREATE INDEX check_runs_by_commit ON check_runs (repository_id, head_sha, id)

CREATE INDEX check_runs_by_suite ON check_runs (suite_id, name, id)

CREATE INDEX check_runs_latest ON check_runs (repository_id, head_sha, id) WHERE is_latest = 1

CREATE INDEX check_runs_latest_of_suite ON check_runs (suite_id, id) WHERE is_latest = 1

CREATE INDEX check_runs_by_app ON check_runs (app_id)

CREATE TABLE check_annotations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run_id INTEGER NOT NULL REFERENCES check_runs (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  start_line INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  start_column INTEGER,
  end_column INTEGER,
  annotation_level TEXT NOT NULL,
  title TEXT,
  message TEXT NOT NULL,
  raw_details TEXT
) STRICT

CREATE INDEX check_annotations_by_run ON check_annotations (run_id, id)

CREATE TABLE check_preferences (
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  app_id INTEGER NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
  setting INTEGER NOT NULL,
  PRIMARY KEY (repository_id, app_id)
) STRICT

CREATE INDEX check_preferences_by_app ON check_preferences (app_id)

CREATE INDEX issues_of_creation ON issues (created_at, id)

CREATE INDEX issues_of_update ON issues (updated_at, created_at, id)

CREATE INDEX issues_of_comments ON issues (comments, created_at, id)

CREATE INDEX issues_of_closing ON issues (closed_at, id) WHERE closed_at IS NOT NULL

CREATE INDEX issues_of_reason ON issues (state_reason, is_pull_request, id) WHERE state = 'closed'

CREATE INDEX issues_of_type ON issues (type_id, id) WHERE type_id IS NOT NULL

CREATE INDEX open_issues ON issues (id) WHERE state = 'open'

CREATE INDEX issues_of_pulls ON issues (id) WHERE is_pull_request = 1

CREATE INDEX locked_issues ON issues (id) WHERE locked = 1

CREATE TABLE auto_merges (
  issue_id INTEGER PRIMARY KEY REFERENCES issues (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  rights TEXT NOT NULL,
  method TEXT NOT NULL,
  title TEXT,
  message TEXT,
  author_email TEXT,
  enabled_at TEXT NOT NULL
) STRICT

CREATE INDEX auto_merges_by_user ON auto_merges (user_id)

CREATE TABLE pull_request_reviews (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  state TEXT NOT NULL,
  body TEXT NOT NULL,
  commit_id TEXT NOT NULL,
  dismissal_message TEXT,
  submitted_at TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT

CREATE INDEX pull_request_reviews_by_issue ON pull_request_reviews (issue_id, id)

CREATE INDEX pull_request_reviews_by_user ON pull_request_reviews (user_id, issue_id)

CREATE UNIQUE INDEX pending_reviews ON pull_request_reviews (issue_id, user_id) WHERE state = 'PENDING'

CREATE TABLE review_threads (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  subject_type TEXT NOT NULL,
  side TEXT NOT NULL,
  start_side TEXT,
  original_commit_id TEXT NOT NULL,
  original_path TEXT NOT NULL,
  original_line INTEGER,
  original_start_line INTEGER,
  original_position INTEGER,
  commit_id TEXT NOT NULL,
  line INTEGER,
  start_line INTEGER,
  position INTEGER,
  traced_head TEXT NOT NULL,
  resolved_by_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  resolved_at TEXT
) STRICT

CREATE INDEX review_threads_by_issue ON review_threads (issue_id, id)

CREATE INDEX review_threads_by_resolver ON review_threads (resolved_by_id)

CREATE INDEX review_comments_by_thread ON review_comments (thread_id, id)

CREATE INDEX review_comments_by_review ON review_comments (review_id, id)

CREATE INDEX review_comments_by_pull ON review_comments (repository_id, pull_number, id)

CREATE TABLE review_requests (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  user_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
  team_id INTEGER REFERENCES teams (id) ON DELETE CASCADE,
  as_code_owner INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL
) STRICT

CREATE UNIQUE INDEX review_requests_to_user ON review_requests (issue_id, user_id)

CREATE UNIQUE INDEX review_requests_to_team ON review_requests (issue_id, team_id)

CREATE INDEX review_requests_by_user ON review_requests (user_id, issue_id)

CREATE INDEX review_requests_by_team ON review_requests (team_id, issue_id)

CREATE TABLE rulesets (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  organization_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
  repository_id INTEGER REFERENCES repositories (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  target TEXT NOT NULL,
  enforcement TEXT NOT NULL,
  bypass_actors TEXT NOT NULL,
  conditions TEXT,
  rules TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (organization_id, name),
  UNIQUE (repository_id, name)
) STRICT

CREATE TABLE ruleset_versions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ruleset_id INTEGER NOT NULL REFERENCES rulesets (id) ON DELETE CASCADE,
  actor_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  state TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT

CREATE INDEX ruleset_versions_by_ruleset ON ruleset_versions (ruleset_id, id)

CREATE INDEX ruleset_versions_by_actor ON ruleset_versions (actor_id)

CREATE TABLE rule_suites (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  actor_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  ref TEXT NOT NULL,
  before_oid TEXT,
  after_oid TEXT,
  result TEXT NOT NULL,
  evaluation_result TEXT,
  evaluations TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT

CREATE INDEX rule_suites_by_repository ON rule_suites (repository_id, id)

CREATE INDEX rule_suites_by_actor ON rule_suites (actor_id)

CREATE TABLE branch_protections (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  branch TEXT NOT NULL,
  settings TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (repository_id, branch)
) STRICT

CREATE VIRTUAL TABLE issue_words USING fts5 (
  words, content = 'issue_texts', content_rowid = 'id', tokenize = 'ascii', detail = 'none', columnsize = 0)

CREATE TRIGGER issue_texts_insert AFTER INSERT ON issue_texts BEGIN
  INSERT INTO issue_words (rowid, words) VALUES (new.id, new.words);
END

CREATE TRIGGER issue_texts_delete AFTER DELETE ON issue_texts BEGIN
  INSERT INTO issue_words (issue_words, rowid, words) VALUES ('delete', old.id, old.words);
END

CREATE TRIGGER issue_texts_update AFTER UPDATE ON issue_texts BEGIN
  INSERT INTO issue_words (issue_words, rowid, words) VALUES ('delete', old.id, old.words);
  INSERT INTO issue_words (rowid, words) VALUES (new.id, new.words);
END

CREATE TABLE releases (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  author_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  tag_name TEXT NOT NULL,
  target_commitish TEXT NOT NULL,
  name TEXT,
  body TEXT,
  draft INTEGER NOT NULL,
  prerelease INTEGER NOT NULL,
  immutable INTEGER NOT NULL,
  latest INTEGER,
  mentions_count INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  published_at TEXT,
  updated_at TEXT NOT NULL
) STRICT

CREATE INDEX releases_by_repository ON releases (repository_id, created_at, id)

CREATE INDEX releases_by_latest ON releases (repository_id, latest)

CREATE INDEX releases_by_author ON releases (author_id)

CREATE UNIQUE INDEX published_releases ON releases (repository_id, tag_name) WHERE draft = 0

CREATE TABLE release_assets (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  release_id INTEGER NOT NULL REFERENCES releases (id) ON DELETE CASCADE,
  uploader_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  name TEXT NOT NULL,
  label TEXT,
  content_type TEXT NOT NULL,
  size INTEGER NOT NULL,
  digest TEXT NOT NULL,
  download_count INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (release_id, name)
) STRICT

CREATE INDEX release_assets_by_digest ON release_assets (digest)

CREATE INDEX release_assets_by_uploader ON release_assets (uploader_id)

CREATE TABLE immutable_tags (
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  tag_name TEXT NOT NULL,
  release_id INTEGER REFERENCES releases (id) ON DELETE SET NULL,
  PRIMARY KEY (repository_id, tag_name)
) STRICT

CREATE INDEX immutable_tags_by_release ON immutable_tags (release_id)

CREATE UNIQUE INDEX reactions_to_release ON reactions (release_id, user_id, content)

CREATE TABLE workflows (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  name TEXT NOT NULL,
  state TEXT NOT NULL,
  blob TEXT,
  last_number INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (repository_id, path)
) STRICT

CREATE TABLE workflow_runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  workflow_id INTEGER NOT NULL REFERENCES workflows (id) ON DELETE CASCADE,
  external_id TEXT,
  app_id INTEGER NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
  suite_id INTEGER NOT NULL REFERENCES check_suites (id) ON DELETE CASCADE,
  actor_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  run_number INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  event TEXT NOT NULL,
  display_title TEXT NOT NULL,
  head_branch TEXT,
  head_sha TEXT NOT NULL,
  head_commit TEXT NOT NULL,
  inputs TEXT,
  created_at TEXT NOT NULL,
  UNIQUE (repository_id, app_id, external_id)
) STRICT

CREATE INDEX workflow_runs_by_repository ON workflow_runs (repository_id, id)

CREATE INDEX workflow_runs_by_workflow ON workflow_runs (workflow_id, id)

CREATE INDEX workflow_runs_by_suite ON workflow_runs (suite_id)

CREATE INDEX workflow_runs_by_app ON workflow_runs (app_id)

CREATE INDEX workflow_runs_by_actor ON workflow_runs (actor_id)

CREATE TABLE workflow_attempts (
  run_id INTEGER NOT NULL REFERENCES workflow_runs (id) ON DELETE CASCADE,
  attempt INTEGER NOT NULL,
  triggering_actor_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  status TEXT NOT NULL,
  conclusion TEXT,
  started_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (run_id, attempt)
) STRICT

CREATE INDEX workflow_attempts_by_actor ON workflow_attempts (triggering_actor_id)

CREATE INDEX check_runs_by_workflow_run ON check_runs (workflow_run_id)

CREATE INDEX check_runs_by_workflow ON check_runs (workflow_id)

CREATE TABLE workflow_jobs (
  id INTEGER PRIMARY KEY REFERENCES check_runs (id) ON DELETE CASCADE,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  run_id INTEGER NOT NULL REFERENCES workflow_runs (id) ON DELETE CASCADE,
  attempt INTEGER NOT NULL,
  labels TEXT NOT NULL,
  runner_name TEXT,
  steps TEXT NOT NULL,
  log_job_id INTEGER
) STRICT

CREATE INDEX workflow_jobs_by_run ON workflow_jobs (run_id, attempt, id)

CREATE INDEX workflow_jobs_by_repository ON workflow_jobs (repository_id, id)

CREATE TABLE actions_caches (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  ref TEXT NOT NULL,
  key TEXT NOT NULL,
  version TEXT NOT NULL,
  size_in_bytes INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  last_accessed_at TEXT NOT NULL,
  UNIQUE (repository_id, ref, key, version)
) STRICT

CREATE TABLE environments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  name TEXT COLLATE NOCASE NOT NULL,
  wait_timer INTEGER NOT NULL,
  prevent_self_review INTEGER NOT NULL,
  branch_policy TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT

CREATE UNIQUE INDEX environments_by_name ON environments (repository_id, name)

CREATE TABLE environment_reviewers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  environment_id INTEGER NOT NULL REFERENCES environments (id) ON DELETE CASCADE,
  user_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
  team_id INTEGER REFERENCES teams (id) ON DELETE CASCADE,
  UNIQUE (environment_id, user_id),
  UNIQUE (environment_id, team_id)
) STRICT

CREATE INDEX environment_reviewers_by_user ON environment_reviewers (user_id)

CREATE INDEX environment_reviewers_by_team ON environment_reviewers (team_id)

CREATE TABLE deployment_branch_policies (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  environment_id INTEGER NOT NULL REFERENCES environments (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  UNIQUE (environment_id, type, name)
) STRICT

CREATE TABLE deployment_protection_rules (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  environment_id INTEGER NOT NULL REFERENCES environments (id) ON DELETE CASCADE,
  app_id INTEGER NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
  UNIQUE (environment_id, app_id)
) STRICT

CREATE INDEX deployment_protection_rules_by_app ON deployment_protection_rules (app_id)

CREATE TABLE secrets (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  organization_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
  repository_id INTEGER REFERENCES repositories (id) ON DELETE CASCADE,
  environment_id INTEGER REFERENCES environments (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  sealed TEXT NOT NULL,
  visibility TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (organization_id, name),
  UNIQUE (repository_id, name),
  UNIQUE (environment_id, name)
) STRICT

CREATE TABLE secret_repositories (
  secret_id INTEGER NOT NULL REFERENCES secrets (id) ON DELETE CASCADE,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  PRIMARY KEY (secret_id, repository_id)
) STRICT

CREATE INDEX secret_repositories_by_repository ON secret_repositories (repository_id)

CREATE TABLE variables (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  organization_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
  repository_id INTEGER REFERENCES repositories (id) ON DELETE CASCADE,
  environment_id INTEGER REFERENCES environments (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  visibility TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (organization_id, name),
  UNIQUE (repository_id, name),
  UNIQUE (environment_id, name)
) STRICT

CREATE TABLE variable_repositories (
  variable_id INTEGER NOT NULL REFERENCES variables (id) ON DELETE CASCADE,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  PRIMARY KEY (variable_id, repository_id)
) STRICT

CREATE INDEX variable_repositories_by_repository ON variable_repositories (repository_id)

CREATE TABLE deployments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  sha TEXT NOT NULL,
  ref TEXT NOT NULL,
  task TEXT NOT NULL,
  payload TEXT NOT NULL,
  original_environment TEXT NOT NULL,
  environment TEXT COLLATE NOCASE NOT NULL,
  description TEXT,
  transient INTEGER NOT NULL,
  production INTEGER NOT NULL,
  state TEXT,
  creator_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  app_id INTEGER REFERENCES apps (id) ON DELETE SET NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT

CREATE INDEX deployments_by_repository ON deployments (repository_id, id)

CREATE INDEX deployments_by_commit ON deployments (repository_id, sha, id)

CREATE INDEX deployments_by_environment ON deployments (repository_id, environment, id)

CREATE INDEX deployments_by_creator ON deployments (creator_id)

CREATE INDEX deployments_by_app ON deployments (app_id)

CREATE TABLE deployment_statuses (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  deployment_id INTEGER NOT NULL REFERENCES deployments (id) ON DELETE CASCADE,
  state TEXT NOT NULL,
  description TEXT NOT NULL,
  environment TEXT NOT NULL,
  log_url TEXT NOT NULL,
  environment_url TEXT NOT NULL,
  creator_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  app_id INTEGER REFERENCES apps (id) ON DELETE SET NULL,
  created_at TEXT NOT NULL
) STRICT

CREATE INDEX deployment_statuses_by_deployment ON deployment_statuses (deployment_id, id)

CREATE INDEX deployment_statuses_by_creator ON deployment_statuses (creator_id)

CREATE INDEX deployment_statuses_by_app ON deployment_statuses (app_id)

CREATE TABLE hooks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repository_id INTEGER REFERENCES repositories (id) ON DELETE CASCADE,
  organization_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
  by_app INTEGER NOT NULL DEFAULT 0,
  active INTEGER NOT NULL,
  events TEXT NOT NULL,
  url TEXT NOT NULL,
  content_type TEXT NOT NULL,
  insecure_ssl TEXT NOT NULL,
  sealed TEXT,
  last_code INTEGER,
  last_status TEXT NOT NULL DEFAULT 'unused',
  last_message TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  failures INTEGER NOT NULL DEFAULT 0,
  is_slow INTEGER NOT NULL DEFAULT 0,
  retry_at INTEGER NOT NULL DEFAULT 0,
  recovered_at INTEGER NOT NULL DEFAULT 0,
  creator_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  app_id INTEGER UNIQUE REFERENCES apps (id) ON DELETE CASCADE,
  CHECK (repository_id IS NOT NULL OR organization_id IS NOT NULL OR app_id IS NOT NULL)
) STRICT

CREATE INDEX hooks_by_repository ON hooks (repository_id)

CREATE INDEX hooks_by_organization ON hooks (organization_id)

CREATE TABLE deliveries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  hook_id INTEGER NOT NULL REFERENCES hooks (id) ON DELETE CASCADE,
  guid TEXT NOT NULL,
  redelivery INTEGER NOT NULL DEFAULT 0,
  event TEXT NOT NULL,
  action TEXT,
  repository_id INTEGER,
  payload TEXT NOT NULL,
  leased_until INTEGER NOT NULL DEFAULT 0,
  delivered_at TEXT,
  duration REAL,
  status TEXT,
  status_code INTEGER,
  url TEXT,
  request_headers TEXT,
  response_headers TEXT,
  response_body TEXT,
  created_at INTEGER NOT NULL DEFAULT 0,
  installation_id INTEGER
) STRICT

CREATE INDEX deliveries_by_hook ON deliveries (hook_id, id)

CREATE INDEX deliveries_pending ON deliveries (hook_id, id) WHERE status IS NULL

CREATE INDEX deliveries_requested
  ON deliveries (hook_id, id) WHERE status IS NULL AND (redelivery = 1 OR event = 'ping')

CREATE INDEX deliveries_by_lease ON deliveries (hook_id, leased_until)

CREATE INDEX installations_by_account ON installations (account_id)

CREATE INDEX installations_by_app ON installations (app_id)

CREATE TABLE app_manifests (
  code TEXT PRIMARY KEY,
  app_id INTEGER NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
  expires_at INTEGER NOT NULL
) STRICT

CREATE TABLE custom_properties (
  organization_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL COLLATE NOCASE,
  value_type TEXT NOT NULL,
  required INTEGER NOT NULL,
  default_value TEXT,
  description TEXT,
  allowed_values TEXT,
  values_editable_by TEXT NOT NULL,
  require_explicit_values INTEGER NOT NULL
) STRICT

CREATE UNIQUE INDEX custom_properties_by_name ON custom_properties (organization_id, name)

CREATE VIEW repository_property_values AS
  SELECT repository_id, name, "values" FROM repository_properties
  UNION ALL
  SELECT r.id, d.name, d.default_value
  FROM custom_properties d
  JOIN repositories r ON r.owner_id = d.organization_id
  WHERE d.required = 1 AND d.default_value IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM repository_properties p WHERE p.repository_id = r.id AND p.name = d.name)`
