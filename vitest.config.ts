import { defineConfig } from "vitest/config"

/** Tests run on the sources of every package, not on what is built from them. */
const conditions = ["@tongs/source", "node"]
const source = { resolve: { conditions }, ssr: { resolve: { conditions } } }

/** For suites that start processes, sockets or browsers on a busy machine. */
const slow = { testTimeout: 120_000, hookTimeout: 120_000 }

export default defineConfig({
  ...source,
  test: {
    projects: [
      {
        ...source,
        test: {
          name: "unit",
          include: ["packages/*/src/**/*.test.ts", "apps/*/src/**/*.test.{ts,tsx}", "scripts/**/*.test.mjs"]
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
        test: { name: "long", include: ["test/**/*.long.test.ts"], testTimeout: 3_600_000, hookTimeout: 120_000 }
      }
    ]
  }
})
