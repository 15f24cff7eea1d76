import * as TableDefinitions from "../TableDefinitions.ts"

// `latest` orders the releases that became the latest one: the largest number of a published full release wins. A tag of
// an immutable release stays in `immutable_tags` when the release is deleted, so that no other release can have it.
export const releases = TableDefinitions.run(`CREATE TABLE releases (
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

ALTER TABLE reactions ADD COLUMN release_id INTEGER REFERENCES releases (id) ON DELETE CASCADE

CREATE UNIQUE INDEX reactions_to_release ON reactions (release_id, user_id, content)`)
