/**
 * Schemathesis (`pip install schemathesis`) tests a `tongs serve`: sends requests from `/openapi.json`, and checks
 * status, content type and schema of all responses.
 */
import { spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { entries } from "@tongs/core/contract/Catalog"
import { hasPrograms } from "../InstalledPrograms.test-support.ts"
import * as ForgeProcess from "../acceptance/ForgeProcess.test-support.ts"
import { callsOf } from "./OperationCalls.test-support.ts"
import { substitute, type Placeholders, write } from "./ConformanceFixture.test-support.ts"

/** The number of requests per operation, and the time limit of the run (seconds). */
const MAX_EXAMPLES = 20
const MAX_SECONDS = 900

const seed = Number(process.env["TONGS_FUZZ_SEED"] ?? 20_260_310)

/** Checks that do not apply, because the service has validation rules beyond the schema. */
const excluded = ["negative_data_rejection", "positive_data_acceptance"]

/** Parameters of operations that rename or protect a target, so that other requests are not affected. */
const sacrificed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "repositories.update": { owner: "olive", repo: "own" },
  "rulesets.createForOrg": { org: "pier" }
}

/**
 * Operations on whose path GET reaches another resource: the name of a branch may have slashes, for example `old/rename`.
 */
const ambiguous: ReadonlySet<string> = new Set(["branches.rename"])
const otherMethods = ["[operations.phases.coverage]", 'unexpected-methods = ["put", "delete", "patch"]']

/** Path parameters of existing resources; with random ones almost all responses are 404. */
const configuration = (names: Placeholders) =>
  entries
    .flatMap((entry) => {
      const id = `${entry.group}.${entry.name}`
      const [success] = callsOf(entry, {})
      const params = { ...success?.params, ...sacrificed[id] }
      const lines = Object.entries(params).flatMap(([name, value]) =>
        entry.endpoint.path.includes(`:${name}`)
          ? [`"path.${name}" = ${typeof value === "string" ? JSON.stringify(substitute(value, names)) : value}`]
          : []
      )
      return lines.length === 0
        ? []
        : [
            "[[operations]]",
            `include-operation-id = "${id}"`,
            "[operations.parameters]",
            ...lines,
            ...(ambiguous.has(id) ? otherMethods : [])
          ]
    })
    .join("\n")

it.skipIf(!hasPrograms("schemathesis"))(
  `schemathesis finds no undeclared response (seed ${seed}; needs schemathesis)`,
  async () => {
    const root = ForgeProcess.temporaryFolder()
    mkdirSync(join(root, "repos"))
    const { file, names } = write(root, "http://192.0.2.1:9")
    const { url } = await ForgeProcess.serve(root, "--fixtures", file)
    writeFileSync(join(root, "schemathesis.toml"), configuration(names))
    const args = [
      "run",
      `${url}/openapi.json`,
      "--header=Authorization: Bearer olive",
      "--checks=all",
      `--exclude-checks=${excluded.join(",")}`,
      "--phases=examples,coverage,fuzzing",
      `--max-examples=${MAX_EXAMPLES}`,
      "--max-redirects=0",
      // Ignores slow responses.
      "--suppress-health-check=all",
      `--seed=${seed}`,
      "--continue-on-failure",
      "--no-shrink"
    ]
    const { status, stderr, stdout } = spawnSync("schemathesis", args, {
      cwd: root,
      encoding: "utf8",
      timeout: MAX_SECONDS * 1000
    })
    expect(status, `${stdout}${stderr}`.slice(-20_000)).toBe(0)
  }
)
