import { globSync, readFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"

/** Tests use the sources of all packages, not the builds. */
const conditions = ["@tongs/source", "node"]
const source = { resolve: { conditions }, ssr: { resolve: { conditions } } }

/**
 * In CI a failed test is retried once. `npm test` names the tests that pass only then: they must be fixed, but do not
 * block other changes.
 */
const retry = process.env["CI"] === undefined ? 0 : 1

/** For unit tests on a busy machine. */
const quick = { testTimeout: 60_000, hookTimeout: 60_000, retry }

/** For suites that start processes, sockets or browsers. */
const slow = { testTimeout: 240_000, hookTimeout: 240_000, retry }

/**
 * Files of a project share their workers and what these have loaded: a new worker for each file takes as long as most
 * files. So a module of a test's support registers no hooks when it is loaded, and tests restore what they change.
 */
const shared = { isolate: false }

/** Concurrent test files. Half of their time they wait for other processes. */
const maxWorkers = Math.max(3, availableParallelism() - 1)

/** Suites that check more cases in `npm run test:long`. */
const sampled = globSync(["test/**/*.test.ts", "{apps,packages}/*/src/**/*.test.ts"], {
  cwd: import.meta.dirname,
  exclude: ["**/node_modules/**"]
}).filter((path) => /LongTests\.test-support|TONGS_LONG_TESTS/.test(readFileSync(path, "utf8")))

/** Runs on a PostgreSQL server that is started for the project. */
const postgres = {
  globalSetup: ["test/postgres/PostgresProject.test-support.ts"],
  setupFiles: ["test/postgres/SkippedTests.test-support.ts"],
  // The setup adds the server's URL.
  env: {}
}

/** The unit tests that `npm test` runs on PostgreSQL too. `npm run test:long` runs all tests of the forge there. */
const storageSuites = [
  "access/SharedRateLimits",
  "cluster/Ownership",
  "events/RefChanges",
  "features/{checks,forks,milestones,organizations,pulls,releases,savedSearches}/*Handlers",
  "features/issues/{ConcurrentChanges,IssueHandlers}",
  "features/runs/PendingDeployments",
  "features/insights/RequestRows",
  "http/ResponseCache",
  "issues/IssueSearch",
  "main/{Owner,Storage}",
  "storage/{copy,postgres}/*",
  "webhooks/{DeliveryRows,SharedOutbox}"
]

/** The suites that `npm run test:long` also runs on forges of three processes. */
const clusterSuites = [
  "{app,archives,compression,docs-page,large-answers,lists,octokit-issues,reads-under-writes,webhooks}",
  "{forge,forge-cache,forge-content,forge-gh,forge-http}",
  "{gh-clone,gh-issues,gh-pull-requests,gh-secrets}",
  "{git-clone,git-push,git-push-attacks,repository-deletion,search,signed-commits}",
  "{concurrent-merges,git-push-create,isomorphic-git,many-repositories,release-assets,rest-writes,run-logs}.long"
]

export default defineConfig({
  ...source,
  test: {
    maxWorkers,
    projects: [
      {
        ...source,
        test: {
          name: "unit",
          include: ["packages/*/src/**/*.test.ts", "apps/*/src/**/*.test.{ts,tsx}", "scripts/**/*.test.mjs"],
          ...shared,
          ...quick
        }
      },
      {
        ...source,
        test: {
          name: "conformance",
          include: ["test/conformance/**/*.test.ts"],
          exclude: ["**/*.long.test.ts"],
          ...shared,
          ...slow
        }
      },
      {
        ...source,
        test: {
          name: "acceptance",
          include: ["test/acceptance/**/*.test.ts", "test/search/**/*.test.ts"],
          exclude: ["**/*.long.test.ts"],
          ...shared,
          ...slow
        }
      },
      {
        ...source,
        test: { name: "simulation", include: ["test/simulation/**/*.test.ts"], exclude: ["**/*.long.test.ts"], ...slow }
      },
      {
        ...source,
        test: {
          name: "postgres",
          include: [
            ...storageSuites.map((suite) => `packages/service/src/${suite}.test.ts`),
            "test/postgres/*.test.ts"
          ],
          exclude: ["**/*.long.test.ts"],
          ...shared,
          ...postgres,
          ...slow
        }
      },
      {
        ...source,
        // After all other projects and one at a time, because some of these measure.
        test: {
          name: "long",
          include: ["test/**/*.long.test.ts", ...sampled],
          exclude: ["test/{cluster,postgres}/**"],
          env: { TONGS_LONG_TESTS: "1" },
          testTimeout: 3_600_000,
          hookTimeout: 240_000,
          maxWorkers: 1,
          sequence: { groupOrder: 1 }
        }
      },
      {
        ...source,
        // The suites of the forge, and those that start a forge of the built program.
        test: {
          name: "long-postgres",
          include: [
            "packages/service/src/**/*.test.ts",
            "test/acceptance/{crash,concurrent-merges,forge,git-push,isomorphic-git,merge-crash,push-crash}*.test.ts",
            "test/acceptance/{lists,reads-under-writes,repository-deletion,webhooks}.test.ts",
            "test/acceptance/{many-repositories,rest-writes}.long.test.ts",
            "test/acceptance/{octokit,gh}*.test.ts",
            "test/conformance/**/*.test.ts",
            "test/simulation/limits/**/*.test.ts",
            "test/postgres/*.long.test.ts"
          ],
          exclude: [
            "test/{conformance,simulation}/**/*.long.test.ts",
            "test/acceptance/{crash,forge,gh,git-processes,merge-crash,push-crash}*.long.test.ts",
            // Restores its data with the snapshots of the test kit, which are of SQLite.
            "test/conformance/access.test.ts"
          ],
          ...postgres,
          ...slow,
          testTimeout: 3_600_000,
          sequence: { groupOrder: 2 }
        }
      },
      {
        ...source,
        // Clusters, one test at a time, and the suites that start a forge of the built program, each as a cluster.
        test: {
          name: "long-cluster",
          include: ["test/cluster/*.long.test.ts", ...clusterSuites.map((suite) => `test/acceptance/${suite}.test.ts`)],
          ...postgres,
          env: { TONGS_TEST_PROCESSES: "3" },
          ...slow,
          testTimeout: 3_600_000,
          maxWorkers: 1,
          sequence: { groupOrder: 3 }
        }
      }
    ]
  }
})
