BEGIN TRANSACTION;
CREATE TABLE apps (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      slug TEXT NOT NULL COLLATE NOCASE UNIQUE,
      owner_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
      client_id TEXT UNIQUE,
      client_secret TEXT
    , public_key TEXT) STRICT;
INSERT INTO "apps" VALUES(11,'harbourmaster',3,NULL,NULL,'-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEArVZ2sDGlrVjren58JPpB
tMcrN8CDnBqeZl9B0iYmz/qWAdY/wFhQAe9zKGjCa3dWtzhNDjepFARPdYzjeyLt
Ignwhi+YoBClDjR38mirK+R9TC+BgWUe7M8ahed0M5Jli3GJHuLBvJQT4OohzMfV
nVrQJGad7Ywgt55Vbv9Bjny6UrsP9eG7OalWewB159tlcys7o7o1B8tULoIlK2/I
tKQo3S+E3KLOrvmIPIa+4KUZD8sbIKePllrxEVQJxXwT3WyYzYL634OdMGIVR4aZ
c883nr/lEmCWGmc96zjzBlnLCa2UiKG95nARqLqVfGAG/7pfjZHTZP1RRqBbHNoM
nwIDAQAB
-----END PUBLIC KEY-----
');
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
    ) STRICT;
INSERT INTO "artifacts" VALUES(1,2,'report','bb285ac97164b1ed2fa4c9a4fd50f9ff76e5c2d673980045930c0d9fbb19b6ee',160,41,2,'main','71c01b10848f4e4815006ef4959ad05c0af782f5','2025-01-05T12:00:00Z','2025-01-05T12:00:00Z','2125-01-05T12:00:00Z');
CREATE TABLE billing_usage (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      organization_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      date TEXT NOT NULL,
      value TEXT NOT NULL
    ) STRICT;
INSERT INTO "billing_usage" VALUES(1,4,'2025-03-01','{"date":"2025-03-01","product":"Actions","sku":"Actions Linux","quantity":100,"unitType":"minutes","pricePerUnit":0.008,"repositoryName":"north-pier/lighthouse"}');
CREATE TABLE blocks (
      user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      blocked_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      PRIMARY KEY (user_id, blocked_id)
    ) STRICT, WITHOUT ROWID;
INSERT INTO "blocks" VALUES(2,3);
CREATE TABLE collaborators (
      repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
      user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      permission TEXT NOT NULL,
      PRIMARY KEY (repository_id, user_id)
    ) STRICT, WITHOUT ROWID;
INSERT INTO "collaborators" VALUES(1,3,'write');
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
    ) STRICT;
INSERT INTO "commit_comments" VALUES(1,2,3,'71c01b10848f4e4815006ef4959ad05c0af782f5',NULL,NULL,NULL,'Loud **enough**.','2025-02-03T08:15:00Z','2025-02-03T08:15:00Z');
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
      response_body TEXT
    , created_at INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO "deliveries" VALUES(1,2,'5ef08e4a-a617-4e68-b95c-5f8065066d27',0,'push',NULL,2,'{"ref":"refs/heads/beam","before":"0000000000000000000000000000000000000000","after":"71c01b10848f4e4815006ef4959ad05c0af782f5","created":true,"deleted":false,"forced":false,"base_ref":null,"compare":"http://127.0.0.1:37899/ada/lamp/compare/000000000000...71c01b10848f","commits":[],"head_commit":{"id":"71c01b10848f4e4815006ef4959ad05c0af782f5","tree_id":"804afe3e5b72537daf56f97056e1afba915f1fdd","distinct":true,"message":"Initial commit","timestamp":"2026-11-22T15:06:17Z","url":"http://127.0.0.1:37899/ada/lamp/commit/71c01b10848f4e4815006ef4959ad05c0af782f5","author":{"name":"Ada Fenwick","email":"ada@example.com","date":"2026-11-22T15:06:17Z"},"committer":{"name":"Ada Fenwick","email":"ada@example.com","date":"2026-11-22T15:06:17Z"},"added":["README.md"],"removed":[],"modified":[]},"pusher":{"name":"ada","email":"ada@example.com"},"repository":{"id":2,"node_id":"UmVwb3NpdG9yeToy","name":"lamp","full_name":"ada/lamp","owner":{"login":"ada","id":2,"node_id":"VXNlcjoy","avatar_url":"http://127.0.0.1:37899/avatars/u/2","avatar_service_id":"","url":"http://127.0.0.1:37899/users/ada","html_url":"http://127.0.0.1:37899/ada","followers_url":"http://127.0.0.1:37899/users/ada/followers","following_url":"http://127.0.0.1:37899/users/ada/following{/other_user}","gists_url":"http://127.0.0.1:37899/users/ada/gists{/gist_id}","starred_url":"http://127.0.0.1:37899/users/ada/starred{/owner}{/repo}","subscriptions_url":"http://127.0.0.1:37899/users/ada/subscriptions","organizations_url":"http://127.0.0.1:37899/users/ada/orgs","repos_url":"http://127.0.0.1:37899/users/ada/repos","events_url":"http://127.0.0.1:37899/users/ada/events{/privacy}","received_events_url":"http://127.0.0.1:37899/users/ada/received_events","type":"User","site_admin":false},"private":true,"html_url":"http://127.0.0.1:37899/ada/lamp","description":"Keeps the lamp lit","fork":false,"url":"http://127.0.0.1:37899/repos/ada/lamp","archive_url":"http://127.0.0.1:37899/repos/ada/lamp/{archive_format}{/ref}","assignees_url":"http://127.0.0.1:37899/repos/ada/lamp/assignees{/user}","blobs_url":"http://127.0.0.1:37899/repos/ada/lamp/git/blobs{/sha}","branches_url":"http://127.0.0.1:37899/repos/ada/lamp/branches{/branch}","collaborators_url":"http://127.0.0.1:37899/repos/ada/lamp/collaborators{/collaborator}","comments_url":"http://127.0.0.1:37899/repos/ada/lamp/comments{/number}","commits_url":"http://127.0.0.1:37899/repos/ada/lamp/commits{/sha}","compare_url":"http://127.0.0.1:37899/repos/ada/lamp/compare/{base}...{head}","contents_url":"http://127.0.0.1:37899/repos/ada/lamp/contents/{+path}","contributors_url":"http://127.0.0.1:37899/repos/ada/lamp/contributors","deployments_url":"http://127.0.0.1:37899/repos/ada/lamp/deployments","downloads_url":"http://127.0.0.1:37899/repos/ada/lamp/downloads","events_url":"http://127.0.0.1:37899/repos/ada/lamp/events","forks_url":"http://127.0.0.1:37899/repos/ada/lamp/forks","git_commits_url":"http://127.0.0.1:37899/repos/ada/lamp/git/commits{/sha}","git_refs_url":"http://127.0.0.1:37899/repos/ada/lamp/git/refs{/sha}","git_tags_url":"http://127.0.0.1:37899/repos/ada/lamp/git/tags{/sha}","hooks_url":"http://127.0.0.1:37899/repos/ada/lamp/hooks","issue_comment_url":"http://127.0.0.1:37899/repos/ada/lamp/issues/comments{/number}","issue_events_url":"http://127.0.0.1:37899/repos/ada/lamp/issues/events{/number}","issues_url":"http://127.0.0.1:37899/repos/ada/lamp/issues{/number}","keys_url":"http://127.0.0.1:37899/repos/ada/lamp/keys{/key_id}","labels_url":"http://127.0.0.1:37899/repos/ada/lamp/labels{/name}","languages_url":"http://127.0.0.1:37899/repos/ada/lamp/languages","merges_url":"http://127.0.0.1:37899/repos/ada/lamp/merges","milestones_url":"http://127.0.0.1:37899/repos/ada/lamp/milestones{/number}","notifications_url":"http://127.0.0.1:37899/repos/ada/lamp/notifications{?since,all,participating}","pulls_url":"http://127.0.0.1:37899/repos/ada/lamp/pulls{/number}","releases_url":"http://127.0.0.1:37899/repos/ada/lamp/releases{/id}","stargazers_url":"http://127.0.0.1:37899/repos/ada/lamp/stargazers","statuses_url":"http://127.0.0.1:37899/repos/ada/lamp/statuses/{sha}","subscribers_url":"http://127.0.0.1:37899/repos/ada/lamp/subscribers","subscription_url":"http://127.0.0.1:37899/repos/ada/lamp/subscription","tags_url":"http://127.0.0.1:37899/repos/ada/lamp/tags","teams_url":"http://127.0.0.1:37899/repos/ada/lamp/teams","trees_url":"http://127.0.0.1:37899/repos/ada/lamp/git/trees{/sha}","git_url":"git://127.0.0.1:37899/ada/lamp.git","ssh_url":"ssh://git@127.0.0.1:37899/ada/lamp.git","clone_url":"http://127.0.0.1:37899/ada/lamp.git","mirror_url":null,"svn_url":"http://127.0.0.1:37899/ada/lamp","homepage":null,"language":"Markdown","forks_count":0,"stargazers_count":0,"watchers_count":0,"size":1,"open_issues_count":0,"subscribers_count":0,"network_count":0,"forks":0,"open_issues":0,"watchers":0,"default_branch":"main","is_template":false,"archived":false,"disabled":false,"has_issues":false,"has_projects":false,"has_wiki":false,"has_pages":false,"has_downloads":false,"has_discussions":false,"allow_rebase_merge":true,"allow_squash_merge":true,"allow_auto_merge":false,"delete_branch_on_merge":false,"allow_merge_commit":true,"squash_merge_commit_title":"COMMIT_OR_PR_TITLE","topics":[],"visibility":"private","pushed_at":"2026-11-22T15:06:17Z","created_at":"2026-11-22T15:06:17Z","updated_at":"2026-11-22T15:06:17Z","template_repository":null,"temp_clone_token":"","license":null,"custom_properties":{}},"sender":{"login":"ada","id":2,"node_id":"VXNlcjoy","avatar_url":"http://127.0.0.1:37899/avatars/u/2","avatar_service_id":"","url":"http://127.0.0.1:37899/users/ada","html_url":"http://127.0.0.1:37899/ada","followers_url":"http://127.0.0.1:37899/users/ada/followers","following_url":"http://127.0.0.1:37899/users/ada/following{/other_user}","gists_url":"http://127.0.0.1:37899/users/ada/gists{/gist_id}","starred_url":"http://127.0.0.1:37899/users/ada/starred{/owner}{/repo}","subscriptions_url":"http://127.0.0.1:37899/users/ada/subscriptions","organizations_url":"http://127.0.0.1:37899/users/ada/orgs","repos_url":"http://127.0.0.1:37899/users/ada/repos","events_url":"http://127.0.0.1:37899/users/ada/events{/privacy}","received_events_url":"http://127.0.0.1:37899/users/ada/received_events","type":"User","site_admin":false}}',1795359980379,'2026-11-22T15:06:20Z',0.06,'failed to connect to host: getaddrinfo ENOTFOUND bells.example',502,'https://bells.example/push','{"Accept":"*/*","Content-Type":"application/json","User-Agent":"Service-Hookshot/tongs","X-Service-Event":"push","X-Service-Delivery":"5ef08e4a-a617-4e68-b95c-5f8065066d27","X-Service-Hook-ID":"2","X-Service-Hook-Installation-Target-ID":"2","X-Service-Hook-Installation-Target-Type":"repository","X-Hub-Signature":"sha1=e8b660f6005e1b46a966186a0856f8796594c884","X-Hub-Signature-256":"sha256=56eea4ee9fef87dc2ae7cd0b1bd483df6f7e7fc786a4224ac09f6593cdd87c81"}',NULL,NULL,1795359980289);
CREATE TABLE "effect_sql_migrations" (
  migration_id integer PRIMARY KEY NOT NULL,
  created_at datetime NOT NULL DEFAULT current_timestamp,
  name VARCHAR(255) NOT NULL
);
INSERT INTO "effect_sql_migrations" VALUES(1,'2026-11-22 15:06:15','accounts');
INSERT INTO "effect_sql_migrations" VALUES(2,'2026-11-22 15:06:15','organizations');
INSERT INTO "effect_sql_migrations" VALUES(3,'2026-11-22 15:06:15','events');
INSERT INTO "effect_sql_migrations" VALUES(4,'2026-11-22 15:06:15','hooks');
INSERT INTO "effect_sql_migrations" VALUES(5,'2026-11-22 15:06:15','keys');
INSERT INTO "effect_sql_migrations" VALUES(6,'2026-11-22 15:06:15','rulesets');
INSERT INTO "effect_sql_migrations" VALUES(7,'2026-11-22 15:06:15','blocks');
INSERT INTO "effect_sql_migrations" VALUES(8,'2026-11-22 15:06:15','settings');
INSERT INTO "effect_sql_migrations" VALUES(9,'2026-11-22 15:06:15','comments');
INSERT INTO "effect_sql_migrations" VALUES(10,'2026-11-22 15:06:15','artifacts');
INSERT INTO "effect_sql_migrations" VALUES(11,'2026-11-22 15:06:15','installations');
INSERT INTO "effect_sql_migrations" VALUES(13,'2026-11-22 15:06:15','names');
INSERT INTO "effect_sql_migrations" VALUES(14,'2026-11-22 15:06:15','app_keys');
INSERT INTO "effect_sql_migrations" VALUES(15,'2026-11-22 15:06:15','comments_of_commits');
INSERT INTO "effect_sql_migrations" VALUES(16,'2026-11-22 15:06:15','squash_titles');
INSERT INTO "effect_sql_migrations" VALUES(17,'2026-11-22 15:06:15','breakers');
CREATE TABLE enterprise_admins (
      enterprise_id INTEGER NOT NULL REFERENCES enterprises (id) ON DELETE CASCADE,
      user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      PRIMARY KEY (enterprise_id, user_id)
    ) STRICT, WITHOUT ROWID;
INSERT INTO "enterprise_admins" VALUES(1,2);
CREATE TABLE enterprises (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      slug TEXT NOT NULL COLLATE NOCASE UNIQUE
    ) STRICT;
INSERT INTO "enterprises" VALUES(1,'piers');
CREATE TABLE events (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      type TEXT NOT NULL,
      actor_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
      public INTEGER NOT NULL,
      payload TEXT NOT NULL,
      change TEXT UNIQUE,
      created_at TEXT NOT NULL
    ) STRICT;
INSERT INTO "events" VALUES(1,'CreateEvent',2,2,0,'{"ref":null,"ref_type":"repository","full_ref":"","master_branch":"main","description":"Keeps the lamp lit","pusher_type":"user"}',NULL,'2026-11-22T15:06:17Z');
INSERT INTO "events" VALUES(2,'CreateEvent',2,2,0,'{"ref":"main","ref_type":"branch","full_ref":"refs/heads/main","pusher_type":"user","master_branch":"main","description":"Keeps the lamp lit"}','7b300415-f2cc-4c65-94b8-9c9996a1a56c','2026-11-22T15:06:17Z');
INSERT INTO "events" VALUES(3,'WatchEvent',3,2,0,'{"action":"started"}','fixture:1aacb136e2184c737a76e124a3d5862520993d50dd955cb0eda8ea8a6bad37e0','2025-01-10T18:30:00Z');
INSERT INTO "events" VALUES(4,'CreateEvent',2,2,0,'{"ref":"beam","ref_type":"branch","full_ref":"refs/heads/beam","pusher_type":"user","master_branch":"main","description":"Keeps the lamp lit"}','8884774d-9947-4b85-9229-0277fa927309','2026-11-22T15:06:20Z');
CREATE TABLE former_names (
      owner_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      name TEXT NOT NULL COLLATE NOCASE,
      repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
      PRIMARY KEY (owner_id, name)
    ) STRICT, WITHOUT ROWID;
INSERT INTO "former_names" VALUES(2,'lamp',2);
CREATE TABLE hooks (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      repository_id INTEGER REFERENCES repositories (id) ON DELETE CASCADE,
      organization_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
      creator_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
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
      updated_at TEXT NOT NULL, failures INTEGER NOT NULL DEFAULT 0, is_slow INTEGER NOT NULL DEFAULT 0, retry_at INTEGER NOT NULL DEFAULT 0, recovered_at INTEGER NOT NULL DEFAULT 0,
      CHECK ((repository_id IS NULL) <> (organization_id IS NULL))
    ) STRICT;
INSERT INTO "hooks" VALUES(1,1,NULL,4,0,1,'["push"]','http://127.0.0.1:9/hook','json','0','cqypXMhYVa6tMP4dJzgHu67O2xnWTd0smf5sNM45Ybfga/M6Paqf1y55h+ESgCBQtWNQaaw=',NULL,'unused',NULL,'2026-11-22T15:06:15Z','2026-11-22T15:06:15Z',0,0,0,0);
INSERT INTO "hooks" VALUES(2,2,NULL,2,0,1,'["push"]','https://bells.example/push','json','0','natJ0FggE/5k3bhRGzb18tCPHVTTm9/9azHfpK6LLBJ+SJLU6fWTZdh6aiDNrltQbePw+bP1IIYN77o=',502,'misconfigured','failed to connect to host: getaddrinfo ENOTFOUND bells.example','2026-11-22T15:06:18Z','2026-11-22T15:06:18Z',1,1,0,0);
CREATE TABLE installation_repositories (
      installation_id INTEGER NOT NULL REFERENCES installations (id) ON DELETE CASCADE,
      repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
      PRIMARY KEY (installation_id, repository_id)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE installations (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      app_id INTEGER NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
      account_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      permissions TEXT NOT NULL DEFAULT '{}',
      events TEXT NOT NULL DEFAULT '[]',
      selection TEXT NOT NULL DEFAULT 'all',
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL
    ) STRICT;
INSERT INTO "installations" VALUES(101,11,4,'{"contents":"read","metadata":"read"}','["push"]','all','2026-11-22T15:06:18Z','2026-11-22T15:06:18Z');
CREATE TABLE key_registry (revision INTEGER NOT NULL) STRICT;
INSERT INTO "key_registry" VALUES(5);
CREATE TABLE memberships (
      organization_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      role TEXT NOT NULL,
      PRIMARY KEY (organization_id, user_id)
    ) STRICT, WITHOUT ROWID;
INSERT INTO "memberships" VALUES(4,2,'owner');
CREATE TABLE organizations (
      user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
      plan TEXT NOT NULL DEFAULT 'free',
      enterprise_id INTEGER REFERENCES enterprises (id) ON DELETE SET NULL
    ) STRICT;
INSERT INTO "organizations" VALUES(4,'enterprise_cloud',1);
CREATE TABLE pgp_key_ids (
      key_id TEXT NOT NULL,
      pgp_key INTEGER NOT NULL REFERENCES pgp_keys (id) ON DELETE CASCADE,
      PRIMARY KEY (key_id, pgp_key)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE pgp_keys (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      fingerprint TEXT NOT NULL UNIQUE,
      armored TEXT NOT NULL,
      created_at TEXT NOT NULL
    ) STRICT;
CREATE TABLE project_views (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
      number INTEGER NOT NULL,
      creator_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      value TEXT NOT NULL,
      created_at TEXT NOT NULL,
      UNIQUE (project_id, number)
    ) STRICT;
CREATE TABLE projects (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      owner_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      number INTEGER NOT NULL,
      fields TEXT NOT NULL DEFAULT '[]',
      UNIQUE (owner_id, number)
    ) STRICT;
INSERT INTO "projects" VALUES(1,4,1,'[{"id":1,"name":"Status"}]');
CREATE TABLE ref_changes (
      id TEXT PRIMARY KEY,
      repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
      actor_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      ref TEXT NOT NULL,
      before TEXT,
      after TEXT,
      api TEXT NOT NULL,
      html TEXT NOT NULL,
      process INTEGER NOT NULL,
      begun_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
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
      updated_at TEXT NOT NULL, squash_merge_commit_title TEXT NOT NULL DEFAULT 'COMMIT_OR_PR_TITLE',
      UNIQUE (owner_id, name)
    ) STRICT;
INSERT INTO "repositories" VALUES(1,4,'lighthouse','{data}/repositories/north-pier/lighthouse.git','The lamp',NULL,0,0,'[]','2026-11-22T15:06:15Z','2026-11-22T15:06:15Z','COMMIT_OR_PR_TITLE');
INSERT INTO "repositories" VALUES(2,2,'lantern','{data}/repositories/ada/lamp.git','Keeps the lamp lit',NULL,1,0,'[]','2026-11-22T15:06:17Z','2026-11-22T15:06:20Z','COMMIT_OR_PR_TITLE');
CREATE TABLE repository_properties (
      repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
      name TEXT NOT NULL COLLATE NOCASE,
      "values" TEXT NOT NULL,
      PRIMARY KEY (repository_id, name)
    ) STRICT, WITHOUT ROWID;
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
      updated_at TEXT NOT NULL
    ) STRICT;
INSERT INTO "review_comments" VALUES(1,2,2,4,NULL,NULL,'71c01b10848f4e4815006ef4959ad05c0af782f5','71c01b10848f4e4815006ef4959ad05c0af782f5','README.md','','{"line":1,"original_line":1,"position":1,"original_position":1,"side":"RIGHT","subject_type":"line"}','Five kilometres?','2025-01-20T09:30:00Z','2025-01-20T09:30:00Z');
CREATE TABLE ruleset_evaluations (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      ruleset_id INTEGER NOT NULL REFERENCES rulesets (id) ON DELETE CASCADE,
      repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
      actor_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      ref TEXT NOT NULL,
      before_oid TEXT,
      after_oid TEXT,
      result TEXT NOT NULL,
      violations TEXT NOT NULL,
      created_at TEXT NOT NULL
    ) STRICT;
CREATE TABLE rulesets (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      organization_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      target TEXT NOT NULL,
      enforcement TEXT NOT NULL,
      bypass_actors TEXT NOT NULL,
      conditions TEXT,
      rules TEXT NOT NULL,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      UNIQUE (organization_id, name)
    ) STRICT;
INSERT INTO "rulesets" VALUES(1,4,'protect main','branch','disabled','[]','{"ref_name":{"include":["~DEFAULT_BRANCH"],"exclude":[]},"repository_name":{"include":["~ALL"],"exclude":[]}}','[{"type":"deletion"}]','2026-11-22T15:06:15Z','2026-11-22T15:06:15Z');
CREATE TABLE settings (
      subject TEXT NOT NULL,
      subject_id INTEGER NOT NULL,
      name TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (subject, subject_id, name)
    ) STRICT, WITHOUT ROWID;
INSERT INTO "settings" VALUES('repository',1,'agentConfiguration','{"mcp_configuration":null,"enabled_tools":{"code_analysis":true,"assistant_code_review":true,"secret_scanning":true,"dependency_vulnerability_checks":true},"require_actions_workflow_approval":true,"is_firewall_enabled":true,"is_firewall_recommended_allowlist_enabled":true,"custom_allowlist":[],"is_automations_enabled":true,"require_write_access_for_automation_triggers":true}');
CREATE TABLE ssh_keys (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      title TEXT NOT NULL,
      key TEXT NOT NULL,
      fingerprint TEXT NOT NULL UNIQUE,
      verified INTEGER NOT NULL,
      read_only INTEGER NOT NULL,
      created_at TEXT NOT NULL
    ) STRICT;
INSERT INTO "ssh_keys" VALUES(1,2,'laptop','ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEfW9N06bDe06mkPHZ8TPShLfJj0k6fJXN9+ZF2ybCT7','SHA256:3UN1xZ/kLCPqFsXvetX8cPQhjwM/sgrWXwf6lb5AgrU',1,0,'2026-11-22T15:06:15Z');
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
    ) STRICT;
INSERT INTO "tokens" VALUES(1,'87363215d847c78499781925a381fa715056759d0c2de257f67e5e6ed1906a65',1,'classic','["repo","user","admin:org","admin:organization","admin:enterprise","admin:org_hook","admin:public_key","project"]','{}',NULL,NULL,NULL,'2026-11-22T15:06:15Z');
INSERT INTO "tokens" VALUES(2,'0581660b1638f452485ddcdb7ffb66994ddda4a83938589a04c899d6c81c0dd2',2,'classic','["repo","user","admin:org","admin:org_hook","admin:public_key","project"]','{}',NULL,NULL,NULL,'2026-11-22T15:06:15Z');
CREATE TABLE user_emails (
      user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      email TEXT NOT NULL COLLATE NOCASE,
      verified INTEGER NOT NULL,
      PRIMARY KEY (email, user_id)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE users (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      login TEXT NOT NULL COLLATE NOCASE UNIQUE,
      type TEXT NOT NULL DEFAULT 'User',
      name TEXT,
      email TEXT COLLATE NOCASE,
      site_admin INTEGER NOT NULL DEFAULT 0,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL
    ) STRICT;
INSERT INTO "users" VALUES(1,'keeper','User',NULL,NULL,1,'2026-11-22T15:06:15Z','2026-11-22T15:06:15Z');
INSERT INTO "users" VALUES(2,'ada','User','Ada Fenwick','ada@example.com',0,'2026-11-22T15:06:15Z','2026-11-22T15:06:15Z');
INSERT INTO "users" VALUES(3,'ben','User',NULL,NULL,0,'2026-11-22T15:06:15Z','2026-11-22T15:06:15Z');
INSERT INTO "users" VALUES(4,'north-pier','Organization',NULL,NULL,0,'2026-11-22T15:06:15Z','2026-11-22T15:06:15Z');
CREATE INDEX events_by_repository ON events (repository_id, id);
CREATE INDEX events_by_actor ON events (actor_id, id);
CREATE INDEX hooks_by_repository ON hooks (repository_id);
CREATE INDEX hooks_by_organization ON hooks (organization_id);
CREATE INDEX deliveries_by_hook ON deliveries (hook_id, id);
CREATE INDEX ssh_keys_of_user ON ssh_keys (user_id);
CREATE TRIGGER ssh_keys_INSERT AFTER INSERT ON ssh_keys
        BEGIN UPDATE key_registry SET revision = revision + 1; END;
CREATE TRIGGER ssh_keys_UPDATE AFTER UPDATE ON ssh_keys
        BEGIN UPDATE key_registry SET revision = revision + 1; END;
CREATE TRIGGER ssh_keys_DELETE AFTER DELETE ON ssh_keys
        BEGIN UPDATE key_registry SET revision = revision + 1; END;
CREATE TRIGGER pgp_keys_INSERT AFTER INSERT ON pgp_keys
        BEGIN UPDATE key_registry SET revision = revision + 1; END;
CREATE TRIGGER pgp_keys_UPDATE AFTER UPDATE ON pgp_keys
        BEGIN UPDATE key_registry SET revision = revision + 1; END;
CREATE TRIGGER pgp_keys_DELETE AFTER DELETE ON pgp_keys
        BEGIN UPDATE key_registry SET revision = revision + 1; END;
CREATE TRIGGER user_emails_INSERT AFTER INSERT ON user_emails
        BEGIN UPDATE key_registry SET revision = revision + 1; END;
CREATE TRIGGER user_emails_UPDATE AFTER UPDATE ON user_emails
        BEGIN UPDATE key_registry SET revision = revision + 1; END;
CREATE TRIGGER user_emails_DELETE AFTER DELETE ON user_emails
        BEGIN UPDATE key_registry SET revision = revision + 1; END;
CREATE TRIGGER users_INSERT AFTER INSERT ON users
        BEGIN UPDATE key_registry SET revision = revision + 1; END;
CREATE TRIGGER users_UPDATE AFTER UPDATE ON users
        BEGIN UPDATE key_registry SET revision = revision + 1; END;
CREATE TRIGGER users_DELETE AFTER DELETE ON users
        BEGIN UPDATE key_registry SET revision = revision + 1; END;
CREATE INDEX ruleset_evaluations_of_ruleset ON ruleset_evaluations (ruleset_id);
CREATE INDEX billing_usage_by_date ON billing_usage (organization_id, date);
CREATE INDEX commit_comments_of_repository ON commit_comments (repository_id);
CREATE INDEX review_comments_by_creation ON review_comments (repository_id, created_at);
CREATE INDEX review_comments_by_update ON review_comments (repository_id, updated_at);
CREATE INDEX artifacts_of_repository ON artifacts (repository_id, created_at);
CREATE UNIQUE INDEX artifacts_of_run ON artifacts (repository_id, run_id, name) WHERE run_id IS NOT NULL;
CREATE INDEX artifacts_by_digest ON artifacts (digest);
CREATE INDEX commit_comments_of_commit ON commit_comments (repository_id, commit_id);
CREATE INDEX deliveries_pending ON deliveries (hook_id, id) WHERE status IS NULL;
CREATE INDEX deliveries_requested ON deliveries (hook_id, id)
    WHERE status IS NULL AND (redelivery = 1 OR event = 'ping');
CREATE INDEX deliveries_by_lease ON deliveries (hook_id, leased_until);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('tokens',4);
INSERT INTO "sqlite_sequence" VALUES('users',6);
INSERT INTO "sqlite_sequence" VALUES('enterprises',1);
INSERT INTO "sqlite_sequence" VALUES('repositories',3);
INSERT INTO "sqlite_sequence" VALUES('projects',1);
INSERT INTO "sqlite_sequence" VALUES('billing_usage',1);
INSERT INTO "sqlite_sequence" VALUES('ssh_keys',1);
INSERT INTO "sqlite_sequence" VALUES('hooks',2);
INSERT INTO "sqlite_sequence" VALUES('rulesets',1);
INSERT INTO "sqlite_sequence" VALUES('events',4);
INSERT INTO "sqlite_sequence" VALUES('commit_comments',1);
INSERT INTO "sqlite_sequence" VALUES('review_comments',1);
INSERT INTO "sqlite_sequence" VALUES('artifacts',1);
INSERT INTO "sqlite_sequence" VALUES('apps',11);
INSERT INTO "sqlite_sequence" VALUES('installations',101);
INSERT INTO "sqlite_sequence" VALUES('deliveries',1);
COMMIT;
