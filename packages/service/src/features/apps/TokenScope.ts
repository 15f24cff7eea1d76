/** Scope of an installation token: the repositories and permissions that the token request selects. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as RequestInput from "../../api/RequestInput.ts"
import * as ApiError from "../../api/ApiError.ts"
import type { InstallationRow } from "../../access/InstallationRows.ts"
import type { RepositoryRow } from "../../repositories/RepositoryRows.ts"

/** Maximum number of repositories of one token. */
const MAX_REPOSITORIES = 500

const Some = <S extends Schema.Top>(item: S) =>
  Schema.optionalKey(
    Schema.Array(item).check(
      Schema.isMinLength(1, { expected: "at least one; omit it to select all of the installation" }),
      Schema.isMaxLength(MAX_REPOSITORIES, { expected: `at most ${MAX_REPOSITORIES}` })
    )
  )

const decode = Schema.decodeUnknownExit(
  Schema.Struct({
    /** Names without the owner. */
    repositories: Some(Schema.String),
    repository_ids: Some(Schema.Int),
    permissions: Schema.optionalKey(Schema.Record(Schema.String, Schema.Literals(["read", "write"])))
  }),
  { errors: "all" }
)

/** Scope of a token. Undefined members mean the full scope of the installation. */
export interface TokenScope {
  readonly repositories: ReadonlyArray<RepositoryRow> | undefined
  readonly permissions: Readonly<Record<string, "read" | "write">> | undefined
}

const unavailable = (field: string, message: string, value: unknown) =>
  ApiError.invalid(message, [{ resource: "installations", field, code: "invalid", message, value }])

const isWithin = (granted: Readonly<Record<string, string>>, category: string, level: "read" | "write") =>
  granted[category] === "write" || granted[category] === level || (category === "metadata" && level === "read")

/** Decodes the body of a token request. `reachable` are the installation's repositories. Fails with 422. */
export const read = Effect.fnUntraced(function* (
  body: object,
  { permissions: granted }: InstallationRow,
  reachable: ReadonlyArray<RepositoryRow>
): Effect.fn.Return<TokenScope, ApiError.ApiError> {
  const exit = decode(body)
  if (Exit.isFailure(exit)) return yield* RequestInput.invalidInput(exit.cause, "installations")
  const { permissions = {}, repositories: names = [], repository_ids: ids = [] } = exit.value

  const more = Object.entries(permissions).find(([category, level]) => !isWithin(granted, category, level))
  if (more !== undefined) {
    const message = "The permissions requested are not granted to this installation."
    return yield* unavailable("permissions", message, more.join(":"))
  }

  const chosen = new Map<number, RepositoryRow>()
  const byName = new Map(reachable.map((row) => [row.name.toLowerCase(), row]))
  const byId = new Map(reachable.map((row) => [row.id, row]))
  const wanted = [
    ...names.map((name) => ["repositories", name, byName.get(name.toLowerCase())] as const),
    ...ids.map((id) => ["repository_ids", id, byId.get(id)] as const)
  ]
  for (const [field, value, row] of wanted) {
    if (row === undefined) {
      const message =
        "There is at least one repository that does not exist or is not accessible to the parent installation."
      return yield* unavailable(field, message, value)
    }
    chosen.set(row.id, row)
  }
  return {
    repositories: wanted.length === 0 ? undefined : [...chosen.values()],
    permissions: Object.keys(permissions).length === 0 ? undefined : permissions
  }
})
