/** Fixtures of repositories and collaborators. */
import { existsSync, realpathSync } from "node:fs"
import { resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { featureSettings, furtherSettings, mergeSettings } from "@tongs/core/contract/groups/RepositorySettings"
import * as Demonstration from "../../repositories/Demonstration.ts"
import type { GitError } from "../../git/values/GitError.ts"
import * as RefName from "../../git/values/RefName.ts"
import { Forks, type NotForkable } from "../../repositories/Forks.ts"
import { type ServedRepository, RepositoryRegistry, isRepositoryName } from "../../repositories/RepositoryRegistry.ts"
import * as InitialCommit from "./InitialCommit.ts"
import { CollaboratorPermission, OrganizationRows } from "../../accounts/OrganizationRows.ts"
import { type NameTaken, RepositoryRows } from "../../repositories/RepositoryRows.ts"
import { CustomPropertyRows } from "../../repositories/CustomPropertyRows.ts"
import type { UserRow } from "../../accounts/UserRows.ts"
import * as FixtureSection from "../../api/FixtureSection.ts"

const { foldCase, identity } = FixtureSection

/** Adds the initial commit, or the demonstration history, to an empty repository. */
const begin = Effect.fnUntraced(function* (
  owner: UserRow,
  name: string,
  demonstration: boolean | "pull_requests",
  files: Readonly<Record<string, string>>
) {
  const served = yield* (yield* RepositoryRegistry).find(owner.login, name)
  if (served === undefined || (yield* served.git.resolve("HEAD")) !== undefined) return
  const { git } = served
  if (demonstration !== false) {
    yield* Demonstration.importHistory(git.gitDir)
    if (demonstration === "pull_requests") yield* Demonstration.importChanges(git.gitDir)
    return
  }
  const content = { ...InitialCommit.readme(name, served.row.description), ...files }
  const commit = yield* InitialCommit.write(git, owner, content)
  yield* git.createRef(RefName.branch(yield* git.head), commit)
})

/** Creates missing branches or tags. `revisions` has the revision of each. */
const addRefs = Effect.fnUntraced(function* (
  login: string,
  name: string,
  field: "branches" | "tags",
  revisions: Readonly<Record<string, string>>
) {
  if (Object.keys(revisions).length === 0) return
  const found = yield* Effect.orElseSucceed((yield* RepositoryRegistry).find(login, name), () => undefined)
  if (found === undefined) return yield* FixtureSection.failAt("full_name", `${login}/${name} cannot be opened`)
  const { git } = found
  for (const [short, revision] of Object.entries(revisions)) {
    const path = `${field}.${short}`
    const full = field === "branches" ? RefName.branch(short) : RefName.tag(short)
    const add = Effect.gen(function* () {
      if ((yield* git.ref(full)) !== undefined) return
      const oid = yield* git.resolve(revision)
      if (oid === undefined) return yield* FixtureSection.failAt(path, `no commit ${JSON.stringify(revision)}`)
      yield* git.createRef(full, oid)
    })
    yield* Effect.catchTag(add, "GitError", ({ message }) => FixtureSection.failAt(path, message))
  }
})

type Serve = Effect.Effect<
  Pick<ServedRepository, "row">,
  FixtureSection.FixtureError | GitError | NameTaken | NotForkable,
  RepositoryRegistry | Forks
>

/** Creates a fork of an earlier repository of the file. */
const fork = Effect.fnUntraced(function* (owner: UserRow, name: string, upstream: string) {
  const [login = "", repository = ""] = upstream.split("/", 2)
  const found = yield* (yield* RepositoryRegistry).find(login, repository)
  if (found === undefined) return yield* FixtureSection.failAt("fork_of", `no repository ${upstream}`)
  const forks = yield* Forks
  return yield* forks.create(found, { owner, name, defaultBranchOnly: false, record: () => Effect.void })
})

/** Resolves symbolic links. A missing path is unchanged. */
const realPath = (path: string) => (existsSync(path) ? realpathSync(path) : path)

/** Sections `repositories` and `collaborators`. Paths in the file are relative to `folder`. */
export const sections = (folder: string) => [
  FixtureSection.make(
    "repositories",
    Schema.Struct({
      full_name: Schema.String.check(Schema.isPattern(/^[^/]+\/[^/]+$/, { expected: "owner/name" })),
      git: Schema.optionalKey(Schema.String),
      /** An earlier repository, of which this one is a fork. The fork has its visibility. */
      fork_of: Schema.optionalKey(Schema.String),
      private: Schema.optionalKey(Schema.Boolean),
      description: Schema.optionalKey(Schema.String),
      homepage: Schema.optionalKey(Schema.String),
      topics: Schema.optionalKey(Schema.Array(Schema.String)),
      /** Rulesets can select repositories by custom properties. */
      custom_properties: Schema.optionalKey(
        Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Array(Schema.String)]))
      ),
      archived: Schema.optionalKey(Schema.Boolean),
      ...featureSettings,
      ...Struct.omit(mergeSettings, ["use_squash_pr_title_as_default"]),
      ...furtherSettings,
      /** Adds an initial commit with a README to an empty repository. */
      auto_init: Schema.optionalKey(Schema.Boolean),
      /** Texts of further files of the initial commit, by path. */
      files: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
      /** Adds the commits of the demonstration to an empty repository, on request with branches for pull requests. */
      demonstration: Schema.optionalKey(Schema.Union([Schema.Boolean, Schema.Literal("pull_requests")])),
      /** Missing branches and tags to create, with the revision of each. */
      branches: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
      tags: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
    }),
    ({ custom_properties = {}, full_name, git }) => [
      identity("full_name", foldCase(full_name)),
      identity("git", "git", git === undefined ? undefined : realPath(resolve(folder, git))),
      ...Object.keys(custom_properties).map((name) =>
        identity(`custom_properties.${name}`, "property", foldCase(full_name), foldCase(name))
      )
    ],
    Effect.fnUntraced(function* ({ custom_properties = {}, fork_of, full_name, git, ...rest }) {
      const { auto_init, branches = {}, demonstration = false, files = {}, tags = {}, ...settings } = rest
      const registry = yield* RepositoryRegistry
      const rows = yield* RepositoryRows
      const [login = "", name = ""] = full_name.split("/", 2)
      if (!isRepositoryName(name))
        return yield* FixtureSection.failAt("full_name", `invalid repository name ${JSON.stringify(name)}`)
      const owner = yield* FixtureSection.user("full_name", login)
      const path = git === undefined ? undefined : resolve(folder, git)
      if (path !== undefined && !existsSync(path)) return yield* FixtureSection.failAt("git", `no such folder: ${path}`)
      const existing = yield* rows.find(login, name)
      const create: Serve = fork_of === undefined ? registry.create(owner, { name }) : fork(owner, name, fork_of)
      const serve: Serve = existing === undefined ? create : Effect.succeed({ row: existing })
      const adopt: Serve = path === undefined ? serve : registry.adopt(owner, path, name)
      const { row } = yield* adopt.pipe(
        Effect.catchTags({
          GitError: (error) => FixtureSection.failAt(path === undefined ? "full_name" : "git", error.message),
          NameTaken: (error) => FixtureSection.failAt("full_name", error.message),
          NotForkable: ({ detail }) => FixtureSection.failAt("fork_of", detail)
        })
      )
      // New repositories are public by default. Existing repositories keep the present settings.
      const { private: hidden, ...others } = settings
      const wanted =
        fork_of !== undefined ? others : existing === undefined ? { private: false, ...settings } : settings
      if (fork_of !== undefined && hidden !== undefined && hidden !== (row.private === 1)) {
        return yield* FixtureSection.failAt("private", "a fork has the visibility of its upstream repository")
      }
      yield* Effect.orDie(rows.update(row.id, wanted)) // the name does not change, so the update cannot conflict
      if (auto_init === true || demonstration !== false) {
        yield* begin(owner, name, demonstration, files).pipe(
          Effect.catch((error) => FixtureSection.failAt("full_name", error.message))
        )
      }
      yield* addRefs(login, name, "branches", branches)
      yield* addRefs(login, name, "tags", tags)
      const properties = yield* CustomPropertyRows
      for (const [name, value] of Object.entries(custom_properties)) {
        yield* properties.setValue([row.id], name, value)
      }
    })
  ),
  FixtureSection.make(
    "collaborators",
    Schema.Struct({ repository: Schema.String, login: Schema.String, permission: CollaboratorPermission }),
    ({ login, repository }) => [identity("login", foldCase(repository), foldCase(login))],
    Effect.fnUntraced(function* ({ login, permission, repository }) {
      const { id } = yield* FixtureSection.repository("repository", repository)
      const user = yield* FixtureSection.user("login", login)
      yield* (yield* OrganizationRows).setCollaboration(id, user.id, permission)
    })
  )
]
