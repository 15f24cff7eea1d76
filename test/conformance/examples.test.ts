/** The contract decodes the examples of GitHub's description, which the specification refers to. */
import { assert, describe, it } from "@effect/vitest"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { type CatalogEntry, entries, successSchema } from "@tongs/core/contract/Catalog"
import * as Renaming from "@tongs/core/contract/Renaming"
import * as SchemaShape from "@tongs/core/contract/SchemaShape"
import { resolvePath, membersOf, responses } from "./GitHubOpenApi.test-support.ts"

/** Examples of an endpoint's successes, as text. */
const examples = (entry: CatalogEntry): ReadonlyArray<readonly [name: string, text: string]> =>
  Object.entries(responses(entry))
    .filter(([status]) => status.startsWith("2"))
    .flatMap(([, response]) =>
      Object.entries(membersOf(resolvePath(response, "content", "application/json", "examples")))
    )
    .map(([name, example]) => [name, JSON.stringify(resolvePath(resolvePath(example, "value")))] as const) // a pair

/** Examples that contradict their own description, and the contradiction. */
const exceptions = new Map([
  ["issues.get default", "is inside of a further `value`"],
  ["issues.get pinned_comment", "is inside of a further `value`"],
  ["issues.search lexical-fallback", "has a text instead of an item"],
  ["repositories.get default-response", "lacks `language`, which its schema requires"],
  ["branches.merge default", "lacks the `sha` of a file, which its schema requires"],
  [
    "teamRepositories.check alternative-response-with-repository-permissions",
    "is of a media type other than that of the first response"
  ],
  ["notifications.markRead default", "is of the status 202, for a request that is not completed yet"],
  ["notifications.markReadForRepo default", "is of the status 202, for a request that is not completed yet"],
  ["meta.get default", "has a number as a fingerprint"],
  ["deployments.create merged-branch-response", "is of another status than the first response"],
  ["deploymentProtectionRules.listApps default", "is a list instead of an object"],
  ["organizationVariables.list default", "has a boolean as a value"],
  ["commits.get default", "lacks the `sha` of a file, which its schema requires"]
])

/** Operations whose usual response has no body, but which have an example of one. */
const bodiless: ReadonlySet<string> = new Set([
  "outsideCollaborators.convert",
  "teamRepositories.check",
  "notifications.markRead",
  "notifications.markReadForRepo"
])

/** Operations whose response is a text. */
const texts: ReadonlySet<string> = new Set(["markdown.render", "markdown.renderRaw"])

for (const entry of entries.filter(({ operation }) => !operation.extension)) {
  const name = `${entry.group}.${entry.name}`
  describe(name, () => {
    const decode = Schema.decodeUnknownExit(successSchema(entry.endpoint) as Schema.Codec<unknown>) // oxlint-disable-line typescript/no-unsafe-type-assertion -- a declaration needs no services
    const all = examples(entry)

    it("has examples, unless its response is empty", () => {
      const isEmpty = all.length === 0 || bodiless.has(name)
      assert.strictEqual(isEmpty, texts.has(name) || HttpApiSchema.isNoContent(successSchema(entry.endpoint).ast))
    })

    for (const [example, text] of all) {
      const reason = exceptions.get(`${name} ${example}`)
      it(reason === undefined ? `decodes ${example}` : `rejects ${example}: ${reason}`, () => {
        const value: unknown = JSON.parse(text)
        const success = successSchema(entry.endpoint)
        const translated = Renaming.toService("github", SchemaShape.of(success))?.(value) ?? value
        const exit = decode(translated)
        assert.strictEqual(Exit.isSuccess(exit), reason === undefined, String(exit))
        assert.deepStrictEqual(
          Renaming.fromService("github", SchemaShape.of(success))?.(translated) ?? translated,
          value
        )
      })
    }
  })
}
