import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"

/** Tests run on the sources of every package, not on what is built from them. */
const conditions = ["@tongs/source", "node"]
const source = { resolve: { conditions }, ssr: { resolve: { conditions } } }

/**
 * Where nobody looks on, a test is tried once more before it counts as failed, and is named when that was so: it wants
 * mending, but a change need not wait for it.
 */
const retry = process.env["CI"] === undefined ? 0 : 1

/** How long what should take no time may take on a busy machine. */
const quick = { testTimeout: 60_000, hookTimeout: 60_000, retry }

/** For suites that start processes, sockets or browsers. */
const slow = { testTimeout: 240_000, hookTimeout: 240_000, retry }

/** Files that run at a time: half of what they do is to wait for other processes. */
const maxWorkers = Math.max(3, availableParallelism() - 1)

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
          ...quick
        }
      },
      {
        ...source,
        test: {
          name: "conformance",
          include: ["test/conformance/**/*.test.ts"],
          exclude: ["**/*.long.test.ts"],
          ...slow
        }
      },
      {
        ...source,
        test: {
          name: "acceptance",
          include: ["test/acceptance/**/*.test.ts", "test/search/**/*.test.ts"],
          exclude: ["**/*.long.test.ts"],
          ...slow
        }
      },
      {
        ...source,
        test: { name: "simulation", include: ["test/simulation/**/*.test.ts"], exclude: ["**/*.long.test.ts"], ...slow }
      },
      {
        ...source,
        // After all others and one at a time: some of these measure.
        test: {
          name: "long",
          include: ["test/**/*.long.test.ts"],
          testTimeout: 3_600_000,
          hookTimeout: 240_000,
          maxWorkers: 1,
          sequence: { groupOrder: 1 }
        }
      }
    ]
  }
})
