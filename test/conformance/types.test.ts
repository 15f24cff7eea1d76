/**
 * Result types follow GitHub's description where the API's specification is silent: members that the contract requires are
 * required there, and nullable members there are nullable here. Where both exist, the specification takes precedence.
 */
import { assert, it } from "@effect/vitest"
import * as SchemaAST from "effect/SchemaAST"
import { entries, successSchema } from "@tongs/core/contract/Catalog"
import { vocabularies } from "@tongs/core/contract/Dialect"
import { resolvePath, type Json, membersOf, responses } from "./GitHubOpenApi.test-support.ts"

/** Members that differ, by the reason. */
const exceptions: Readonly<Record<string, RegExp>> = {
  "the specification has them for every account": /^UserSummary\./,
  "the specification has them for every commit": /^GitSignature\./,
  "the specification has them for every limit": /^Cache(Retention|Storage)Limit\./,
  "the specification has them for every row": /^(RouteStats|SubjectStats|SummaryStats|TimeStats)\./,
  "the specification has them for every match": /^TextMatch\./,
  "the media type `star` always has the time": /^StarredRepository\.starred_at/,
  "GitHub describes a type of issues as null or a type, also in lists": /^issueTypes\./,
  "GitHub describes an app as null or an app, also in lists": /^(apps\.getBySlug|branchRestrictions\.\w+Apps\[\])/,
  "every repository has an owner": /^RepositorySearchItem\.owner/,
  "every parent of a commit has an id": /^CommitSearchItem\.parents/,
  "GitHub describes these members as optional, and its examples have them":
    /^(EnvironmentList|DeploymentBranchPolicy|CustomProtectionRuleList|CustomRuleAppList)\./,
  "a reviewer is an account or a team, which have few members in common": /^Team\./,
  "GitHub describes all members inside a FileCommit as optional, and its examples have them": /^FileCommit: /
}

interface Described {
  readonly isNullable: boolean
  readonly required: ReadonlyArray<string>
  readonly properties: { readonly [name: string]: Json }
  readonly items: Json | undefined
}

const list = (value: Json | undefined): ReadonlyArray<Json> => (Array.isArray(value) ? value : [])

/** The required members and nullability that all alternatives of a schema share. */
const described = (schema: Json | undefined): Described => {
  const own = membersOf(resolvePath(schema))
  const parts = list(own["allOf"]).map(described)
  const alternatives = [...list(own["anyOf"]), ...list(own["oneOf"])].map(described)
  const objects = alternatives.filter(({ properties }) => Object.keys(properties).length > 0)
  const [first] = objects
  const shared = first?.required.filter((name) => objects.every(({ required }) => required.includes(name))) ?? []
  return {
    isNullable: own["nullable"] === true || own["type"] === "null" || alternatives.some(({ isNullable }) => isNullable),
    required: [...list(own["required"]).map(String), ...parts.flatMap(({ required }) => required), ...shared],
    properties: Object.assign(
      {},
      ...[...parts, ...objects].map(({ properties }) => properties),
      membersOf(own["properties"])
    ),
    items: own["items"]
  }
}

/** Paths where the contract requires more than the description. */
const differences = (ast: SchemaAST.AST, schema: Json | undefined, path: string): ReadonlyArray<string> => {
  const { isNullable, items, properties, required } = described(schema)
  switch (ast._tag) {
    case "Unknown":
      return []
    case "Union": {
      const acceptsNull = ast.types.some(({ _tag }) => _tag === "Null")
      return [
        ...(isNullable && !acceptsNull ? [`${path} may be null`] : []),
        ...ast.types
          .filter(({ _tag }) => _tag === "Objects" || _tag === "Arrays")
          .flatMap((type) => differences(type, schema, path).filter((found) => found !== `${path} may be null`))
      ]
    }
    case "Arrays":
      return items === undefined ? [] : ast.rest.flatMap((item) => differences(item, items, `${path}[]`))
    case "Objects": {
      const name = ast.annotations?.["identifier"]
      const here = typeof name === "string" ? name : path
      return [
        ...(isNullable ? [`${path} may be null`] : []),
        ...ast.propertySignatures.flatMap(({ name: key, type }) => {
          const there = vocabularies.github.members[String(key)] ?? String(key)
          const member = properties[there]
          if (member === undefined) return [] // defined by the documents
          const optional = type.context?.isOptional !== true && !required.includes(there)
          return [
            ...(optional ? [`${here}.${String(key)} may be missing`] : []),
            ...differences(type, member, `${here}.${String(key)}`).map((found) =>
              name === "FileCommit" ? `FileCommit: ${found}` : found
            )
          ]
        })
      ]
    }
    default:
      return isNullable ? [`${path} may be null`] : []
  }
}

it("requires no more members than the description, unless the documents do", () => {
  const found = new Set(
    entries.flatMap((entry) => {
      const content = resolvePath(responses(entry)[String(entry.status)], "content", "application/json", "schema")
      const { ast } = successSchema(entry.endpoint)
      return content === undefined ? [] : differences(SchemaAST.toEncoded(ast), content, `${entry.group}.${entry.name}`)
    })
  )
  const patterns = Object.values(exceptions)
  assert.deepStrictEqual(
    [...found].filter((path) => !patterns.some((pattern) => pattern.test(path))),
    []
  )
  for (const [reason, pattern] of Object.entries(exceptions)) {
    assert.isTrue(
      [...found].some((path) => pattern.test(path)),
      `obsolete exception: ${reason}`
    )
  }
})
