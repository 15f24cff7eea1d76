BEGIN TRANSACTION;
CREATE TABLE "effect_sql_migrations" (
  migration_id integer PRIMARY KEY NOT NULL,
  created_at datetime NOT NULL DEFAULT current_timestamp,
  name VARCHAR(255) NOT NULL
);
INSERT INTO "effect_sql_migrations" VALUES(1,'2026-11-22 15:06:15','requests');
CREATE TABLE requests (
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
    ) STRICT, WITHOUT ROWID;
INSERT INTO "requests" VALUES(4,1795359960,'classic_pat',2,'GET','/orgs/{org}/hooks',2,'user',2,'ada',1,0,1795359980,NULL);
CREATE INDEX requests_by_minute ON requests (minute);
COMMIT;
