/** The protocol's conformance tests on the server of `tongs mcp --http`, with the tools that the tests call. */
import { execFile } from "node:child_process"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { serve } from "../conformance/mcp/FixtureServer.test-support.ts"
import { type Outcome, scenarios } from "../conformance/mcp/Scenarios.test-support.ts"
import { temporaryFolder } from "./TongsCommand.test-support.ts"

const tool = fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js"))

const scope = Effect.runSync(Scope.make())
let url: URL

beforeAll(async () => {
  url = (await Effect.runPromise(Scope.provide(serve, scope))).open
})

afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

interface Check {
  readonly id: string
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO"
  readonly errorMessage?: string
}

/** Runs the scenarios of a protocol version. Returns the checks of each. */
const run = async (version: string) => {
  const folder = temporaryFolder()
  // The tool exits with 1 if a scenario fails.
  await new Promise((resolve) =>
    execFile(
      process.execPath,
      [tool, "server", "--url", url.href, "--requirements", version, "--output-dir", folder],
      { maxBuffer: Infinity },
      resolve
    )
  )
  return new Map(
    Fs.readdirSync(folder).map((name): [string, ReadonlyArray<Check>] => [
      name.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, ""),
      JSON.parse(Fs.readFileSync(Path.join(folder, name, "checks.json"), "utf8"))
    ])
  )
}

const isPassed = ({ status }: Check) => status !== "FAILURE" && status !== "WARNING"

const describeOutcome = (outcome: Outcome) => (outcome === "passes" ? outcome : "fails")

describe("the conformance tests", () => {
  for (const [version, { others, required }] of Object.entries(scenarios)) {
    // Some checks wait only half a second for an answer: not enough on a busy machine.
    it(`have the expected results with ${version}`, { retry: 2 }, async () => {
      const checks = await run(version)
      const failures = [...checks].flatMap(([scenario, list]) =>
        list.filter((check) => !isPassed(check)).map(({ errorMessage, id }) => `${scenario}, ${id}: ${errorMessage}`)
      )
      const found = [...checks].map(([scenario, list]) => [scenario, list.every(isPassed) ? "passes" : "fails"])
      const expected = Object.entries({ ...required, ...others }).map(([name, outcome]) => [
        name,
        describeOutcome(outcome)
      ])
      expect(Object.fromEntries(found), failures.join("\n")).toEqual(Object.fromEntries(expected))
    })
  }
})
