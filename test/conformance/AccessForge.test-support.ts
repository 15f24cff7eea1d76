/**
 * A forge for the access matrix: the data of the conformance fixture, all kinds of callers, and a copy to return to.
 */
import { generateKeyPairSync, sign } from "node:crypto"
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import type * as SqlClient from "effect/sql/SqlClient"
import { entries } from "@tongs/core/contract/Catalog"
import { nameOf } from "@tongs/service/access/Permissions"
import { git } from "@tongs/service/git/Fixture.test-support"
import * as Forge from "@tongs/service/main/Forge.test-support"
import * as Fixtures from "@tongs/service/main/Fixtures"
import { RepositoryRows } from "@tongs/service/repositories/RepositoryRows"
import { Durability } from "@tongs/service/storage/Durability"
import * as Snapshot from "../../packages/testing/src/Snapshot.ts"
import * as AccessExpectation from "./AccessExpectation.test-support.ts"
import { type Placeholders, write } from "./ConformanceFixture.test-support.ts"
import * as SealedSecrets from "./SealedSecrets.test-support.ts"

export type Visibility = "public" | "private"

/** The page that a person has reviewed. */
export const page = join(import.meta.dirname, "../../docs/access.md")

export const expectations = AccessExpectation.parse(existsSync(page) ? readFileSync(page, "utf8") : "")

export class AccessForge extends Context.Service<
  AccessForge,
  {
    readonly names: Placeholders
    /** Returns to the state after the start, in which `harbor/hello` is public or private. */
    readonly restore: (visibility: Visibility) => Effect.Effect<void>
  }
>()("@tongs/test/conformance/AccessForge") {
  static readonly layer = Effect.suspend(() => make).pipe(
    Layer.effect(AccessForge),
    Layer.provideMerge(Forge.layer((repos) => mkdirSync(repos), { dialect: "github" })),
    // Without flushing to the disk, as in a forge for tests.
    Layer.provide(Layer.succeed(Durability, false))
  )
}

/** Scopes that are tried one by one. The table does not name the scopes of a token that are not in this list. */
export const scopes = [
  ["public_repo", "repo:status", "repo_deployment", "repo", "delete_repo", "workflow"],
  ["read:repo_hook", "write:repo_hook", "admin:repo_hook"],
  ["read:org", "write:org", "admin:org", "admin:org_hook", "admin:organization"],
  ["read:user", "user:email", "user:follow", "user"],
  ["read:public_key", "write:public_key", "admin:public_key"],
  ["read:gpg_key", "write:gpg_key", "admin:gpg_key"],
  ["read:ssh_signing_key", "write:ssh_signing_key", "admin:ssh_signing_key"],
  ["read:project", "project"],
  ["admin:enterprise", "gist"]
].flat()

/** Permissions that are tried one by one: all permissions that any operation declares. */
export const permissions = [
  ...new Set(
    entries.flatMap(({ operation }) =>
      operation.permission === "refused" ? [] : operation.permission.flat().map((one) => nameOf(one))
    )
  )
].toSorted()

const everyPermission = Object.fromEntries(permissions.map((name) => [name, "write"]))

/** Tokens of the owner, `olive`, that have one scope, or one permission at one level. */
export const tokenOfScope = (scope: string) => `scope-${scope}`
export const tokenOfPermission = (name: string, level: string) => `permission-${name}-${level}`

/** The callers of the matrix and the tokens, in the order of the table. */
export const callers: ReadonlyArray<readonly [caller: string, token: string | null]> = [
  ["anonymous", null],
  ["stranger", "stranger"],
  ["reader", "reader"],
  ["triager", "triager"],
  ["writer", "writer"],
  ["maintainer", "maintainer"],
  ["owner", "owner"],
  ["no scope", "scopeless"],
  ["no permission", "powerless"],
  ["other repository", "elsewhere"],
  ["app", "app"],
  ["app on another account", "foreign-app"],
  ["app on another repository", "narrow-app"],
  ["workflow", "workflow"]
]

/** Callers with the same rights as another one in the repository. */
export const equals: ReadonlyArray<readonly [caller: string, token: string, like: string]> = [
  ["outside collaborator", "outsider", "reader"],
  ["administrator of the repository", "manager", "owner"]
]

/** The lists of scopes and of permissions that the page expects, by the names of the tokens without them. */
const expectedScopes = new Map(
  [...expectations.values()].flatMap(({ scopes }) =>
    scopes.map((names) => [AccessExpectation.tokenWithoutScopes(names), names] as const)
  )
)
const expectedPermissions = new Map(
  [...expectations.values()].map(({ permissions }) => [
    AccessExpectation.tokenWithoutPermissions(permissions),
    permissions
  ])
)

const key = generateKeyPairSync("rsa", { modulusLength: 2048 })
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")

export const jwt = (app: number): string => {
  const now = Math.floor(Date.now() / 1000)
  const text = `${part({ alg: "RS256", typ: "JWT" })}.${part({ iss: String(app), iat: now - 60, exp: now + 500 })}`
  return `${text}.${sign("sha256", Buffer.from(text), key.privateKey).toString("base64url")}`
}

const logins = ["stranger", "reader", "triager", "writer", "maintainer", "manager", "outsider"]
const roles: ReadonlyArray<readonly [login: string, permission: string]> = [
  ["triager", "triage"],
  ["writer", "write"],
  ["maintainer", "maintain"],
  ["manager", "admin"],
  ["outsider", "read"]
]
const isMember = (login: string) => login !== "stranger" && login !== "outsider"

type Rows = Readonly<Record<string, any>> // oxlint-disable-line typescript/no-explicit-any -- a JSON file

/** The rows of the conformance fixture with the callers' rows. */
const withCallers = (rows: Rows): Rows => ({
  ...rows,
  users: [...rows.users, ...logins.map((login) => ({ login }))],
  organizations: rows.organizations.map((one: { readonly login: string; readonly members: ReadonlyArray<object> }) =>
    one.login === "harbor"
      ? { ...one, members: [...one.members, ...logins.filter(isMember).map((login) => ({ login }))] }
      : one
  ),
  // Without a folder, so that the repository is among the repositories that the copy restores.
  repositories: rows.repositories
    .filter((one: object) => !("fork_of" in one))
    .map((one: object) => Object.fromEntries(Object.entries(one).filter(([name]) => name !== "git"))),
  collaborators: [
    ...rows.collaborators,
    ...roles.map(([login, permission]) => ({ repository: "harbor/hello", login, permission }))
  ],
  // As the owner.
  watching: [...rows.watching, { user: "manager", repository: "harbor/hello" }],
  stars: [...rows.stars, { user: "manager", repository: "harbor/hello" }],
  commit_comments: [...rows.commit_comments, { id: 14, repository: "harbor/hello", user: "stranger", body: "Mine." }],
  review_comments: [
    ...rows.review_comments,
    { id: 23, repository: "harbor/hello", user: "stranger", pull_number: 4, path: "README.md", body: "Mine.", line: 2 }
  ],
  reviews: [
    ...rows.reviews,
    { id: 34, repository: "harbor/hello", user: "stranger", pull_number: 20, state: "COMMENTED", body: "Mine." }
  ],
  apps: rows.apps.map((app: object) => ({
    ...app,
    public_key: key.publicKey.export({ type: "spki", format: "pem" }).toString()
  })),
  installations: [
    ...rows.installations.map((one: { readonly id: number }) => ({
      ...one,
      permissions: everyPermission,
      ...(one.id === 90 ? { repositories: "all" } : {})
    })),
    { account: "harbor", app_slug: "narrow", id: 92, permissions: everyPermission, repositories: ["harbor/empty"] }
  ],
  tokens: [
    ...rows.tokens,
    ...logins.map((login) => ({ token: login, user: login, scopes })),
    { token: "owner", user: "olive", scopes },
    { token: "expired", user: "olive", scopes, expires_at: "2020-01-01T00:00:00Z" },
    { token: "powerless", user: "olive", kind: "fine_grained", permissions: {} },
    {
      token: "elsewhere",
      user: "olive",
      kind: "fine_grained",
      permissions: everyPermission,
      repositories: ["harbor/empty"]
    },
    { token: "app", kind: "installation", installation: 90 },
    { token: "foreign-app", kind: "installation", installation: 91 },
    { token: "narrow-app", kind: "installation", installation: 92 },
    {
      token: "workflow",
      user: "olive",
      kind: "workflow",
      permissions: everyPermission,
      repositories: ["harbor/hello"]
    },
    ...scopes.map((scope) => ({ token: tokenOfScope(scope), user: "olive", scopes: [scope] })),
    ...permissions.flatMap((name) =>
      ["read", "write"].map((level) => ({
        token: tokenOfPermission(name, level),
        user: "olive",
        kind: "fine_grained",
        permissions: { [name]: level }
      }))
    ),
    ...[...expectedScopes].map(([token, expected]) => ({
      token,
      user: "olive",
      scopes: scopes.filter((scope) => !expected.includes(scope))
    })),
    ...[...expectedPermissions].map(([token, expected]) => ({
      token,
      user: "olive",
      kind: "fine_grained",
      permissions: AccessExpectation.otherPermissions(permissions, expected)
    }))
  ]
})

const make = Effect.gen(function* () {
  const { ask, get, repos } = yield* Forge.TestForge
  const root = join(repos, "..")
  const { file, names, path } = write(root, "http://127.0.0.1:9")
  const { repositories, ...others } = withCallers(JSON.parse(readFileSync(file, "utf8")))
  const { organizations, users, ...later } = others
  yield* Fixtures.add({ organizations, repositories, users }, dirname(file))
  const rows = yield* RepositoryRows
  const hello = (yield* rows.list).find(({ name, owner }) => name === "hello" && owner.login === "harbor")
  if (hello === undefined) return yield* Effect.die("no harbor/hello")
  git(path, ["push", "--quiet", "--mirror", hello.git])
  yield* Fixtures.add(later, dirname(file))
  // Creates one delivery for each hook. The delivery fails, because the forge sends nothing to the own machine.
  for (const hook of ["/repos/harbor/hello/hooks/1", "/orgs/harbor/hooks/2"]) {
    yield* ask("POST", `${hook}/pings`)
    yield* get(`${hook}/deliveries`).pipe(
      Effect.repeat({ until: ({ json }): boolean => json.length > 0, schedule: Schedule.spaced("20 millis") })
    )
  }
  // Operations of saved searches have the id 1.
  yield* ask("POST", "/tongs/user/saved-searches", { token: "owner", body: { name: "ahoy", query: "ahoy" } })
  const data = join(root, "data")
  const backup = join(root, "backup")
  const folders = [relative(data, hello.git), "artifacts", "run-logs"]
  for (const folder of folders) cpSync(join(data, folder), join(backup, folder), { recursive: true })
  const snapshots = Snapshot.make(data)
  yield* Effect.orDie(rows.update(hello.id, { private: false }))
  const open = yield* snapshots.take
  yield* Effect.orDie(rows.update(hello.id, { private: true }))
  const copies = { public: open, private: yield* snapshots.take }
  const context = yield* Effect.context<SqlClient.SqlClient>()
  const restore = (visibility: Visibility) =>
    Effect.suspend(() => {
      // The copies lack the files that the deletion of a repository removes.
      if (!existsSync(hello.git))
        for (const folder of folders) cpSync(join(backup, folder), join(data, folder), { recursive: true })
      return Effect.orDie(Effect.provideContext(snapshots.restore(copies[visibility]), context))
    })
  const sealed = yield* SealedSecrets.make((path) => get(path, { token: "owner" }))
  return AccessForge.of({ names: { ...names, ...sealed }, restore })
})
