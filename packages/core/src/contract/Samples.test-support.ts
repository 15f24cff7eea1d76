/** Resources in the JSON of a forge. */
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import { User } from "./groups/User.ts"

export const SHA = "aa218f56b14c9653891f9e74264a383fa43fefbd"

/** A reference in the JSON of a forge. */
export const gitRef = (ref: string) => ({
  ref,
  node_id: "n",
  url: `https://forge.test/git/${ref}`,
  object: { type: "commit", sha: SHA, url: "https://forge.test/c" }
})

/** An account in the JSON of a forge. */
export const user = (login: string) => ({
  ...Object.fromEntries(
    Object.keys(User.fields).map((name) => [
      name,
      name.endsWith("_url") || name === "url" ? `https://forge.test/${name}` : ""
    ])
  ),
  login,
  id: 1,
  type: "User",
  site_admin: false,
  hireable: null,
  public_repos: 0,
  public_gists: 0,
  followers: 0,
  following: 0,
  private_gists: 0,
  total_private_repos: 0,
  owned_private_repos: 0,
  disk_usage: 0,
  collaborators: 0,
  created_at: "2020-01-01T00:00:00Z",
  updated_at: "2020-01-01T00:00:00Z",
  suspended_at: null,
  two_factor_authentication: true
})

/** A value of a schema with every declared member, and `free` in each free-form member. */
export const of = (schema: Schema.Top, free: unknown = "free"): unknown => sample(SchemaAST.toEncoded(schema.ast), free)

const sample = (ast: SchemaAST.AST, free: unknown): unknown => {
  switch (ast._tag) {
    case "Arrays":
      return [...ast.elements, ...ast.rest].map((item) => sample(item, free))
    case "Objects":
      return Object.fromEntries([
        ...ast.propertySignatures.map(({ name, type }) => [String(name), sample(type, free)]),
        ...ast.indexSignatures.flatMap(({ type }) => (type._tag === "Never" ? [] : [["any", sample(type, free)]]))
      ])
    case "Union":
      return sample(ast.types.find(({ _tag }) => _tag !== "Null" && _tag !== "Undefined") ?? ast, free)
    case "Literal":
      return ast.literal
    case "Unknown":
      return free
    default:
      return scalars.find(fits(ast)) ?? null
  }
}

const scalars = ["text", "2026-01-31T12:00:00Z", SHA, 1, true]

const fits = (ast: SchemaAST.AST) => {
  const decode = Schema.decodeUnknownExit(Schema.make<Schema.Codec<unknown>>(ast))
  return (value: unknown) => Exit.isSuccess(decode(value))
}
