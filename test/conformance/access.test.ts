/**
 * The access matrix: every route with all kinds of callers. `docs/access.md` is the expectation, which a person has
 * reviewed. The test fails for a change of the declared access and for a new operation, until
 * `npx vitest run test/conformance/access.test.ts -u` updates the page.
 */
import { existsSync, readFileSync } from "node:fs"
import { assert, expect, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { AccessForge, page } from "./AccessForge.test-support.ts"
import { measureAll, type Row } from "./AccessMatrix.test-support.ts"
import * as AccessPage from "./AccessPage.test-support.ts"
import { targets } from "./AccessTargets.test-support.ts"

/** Controls that no caller can pass, and the reason. All other controls succeed. */
const failing: Readonly<Record<string, readonly [status: number, reason: string]>> = {
  "rateLimit.get": [404, "the forge of the test has no limits"],
  "branches.mergeUpstream": [422, "the repository is no fork"],
  "repositories.transfer": [422, "the new owner would have to accept"],
  "suggestions.apply": [422, "the comment has no suggestion"],
  "immutableReleases.check": [404, "releases of the repository can change"],
  "immutableReleases.setSelected": [409, "the organization has another policy"],
  "immutableReleases.addSelected": [409, "the organization has another policy"],
  "immutableReleases.removeSelected": [409, "the organization has another policy"],
  "savedSearches.markSeen": [409, "its version is of other results"],
  "GET /_test/requests": [404, "only `tongs serve --test` has these routes"]
}

/** Writes of people who can read the repository: they take part in its conversations. */
const conversations =
  /^(issues\.create|(issueComments|commitComments|reviews)\.create|reviewComments\.create(Reply)?|reactions\.(create|delete)For\w+)$/

/** Writes of people with the triage role: they manage issues. */
const triage =
  /^(issues\.(update|lock|unlock)|assignees\.(add|remove)|labels\.\w+Issue|(subIssues|issueDependencies)\.\w+|reviewRequests\.(create|delete))$/

/** Writes in the account of the caller, for everyone who can read the repository. */
const personal = /^(watching\.(set|delete)|notifications\.markReadForRepo|stars\.(star|unstar)|forks\.create)$/

/** Callers that must not see a private repository. */
const blind = [
  "anonymous",
  "stranger",
  "no scope",
  "other repository",
  "app on another account",
  "app on another repository"
]

/** Access that no table may allow. */
const violations = ({ control, statuses, target: { changes, inRepository, name } }: Row): ReadonlyArray<string> => {
  const isOperation = /^\w+\.\w+/.test(name)
  const isOwn = name.endsWith("(own)")
  const [wanted] = failing[name] ?? []
  const found = control.flatMap((status) =>
    (wanted === undefined ? status < 400 : status === wanted)
      ? []
      : [`${name}: the control fails with ${status}. Give its input in OperationCalls.test-support.ts`]
  )
  const isIn = (caller: string) => statuses.get(caller)?.some((status, index) => status === control[index]) === true
  if (changes && isIn("anonymous")) found.push(`${name}: anonymous callers change something`)
  if (changes && inRepository && !isOwn && !personal.test(name))
    for (const caller of [
      ...(conversations.test(name) ? [] : ["stranger", "reader"]),
      ...(conversations.test(name) || triage.test(name) ? [] : ["triager"]),
      "no permission",
      "other repository",
      "app on another repository"
    ])
      if (isIn(caller)) found.push(`${name}: ${caller} changes the repository`)
  if (inRepository && isOperation)
    for (const caller of blind) {
      const status = statuses.get(caller)?.[1]
      if (status !== 404) found.push(`${name}: ${caller} gets ${status} for a private repository, not 404`)
    }
  return found
}

layer(AccessForge.layer, { excludeTestServices: true, timeout: 60_000 })("access", (it) => {
  it.effect(
    "every route lets in the callers that docs/access.md names",
    Effect.fnUntraced(function* () {
      const rows = yield* measureAll(targets)
      const wrong = rows.flatMap((row) => [...violations(row), ...row.unequal])
      assert.strictEqual(wrong.join("\n"), "")
      const text = AccessPage.print(rows)
      const differences = existsSync(page) ? AccessPage.differences(readFileSync(page, "utf8"), text) : []
      const hint =
        "If the new access is right, run `npx vitest run test/conformance/access.test.ts -u` and review the diff"
      yield* Effect.promise(() => expect(text, `\n${[...differences, hint].join("\n")}\n`).toMatchFileSnapshot(page))
    }),
    600_000
  )
})
