BEGIN TRANSACTION;
CREATE TABLE budgets (scope TEXT PRIMARY KEY, version TEXT NOT NULL, body TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
INSERT INTO "budgets" VALUES('{scope}','33c7a75f.2','{"resources":[["core",{"window":{"limit":5000,"used":1,"remaining":4999,"reset":{reset}}}]],"meters":[["GET /user",[{tick},1]],["cpu",[{tick},39]],["GET /rate_limit",[{tick},1]]],"holders":[],"computing":{"roundTrip":0,"typical":35.2495251},"skew":{"low":-438,"high":666},"limits":"stated","epoch":0}',{now});
CREATE TABLE holders (scope TEXT, holder TEXT, body TEXT NOT NULL, until INTEGER NOT NULL, PRIMARY KEY (scope, holder)) STRICT;
COMMIT;
