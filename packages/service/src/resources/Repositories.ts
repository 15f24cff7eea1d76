import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type NewRepository, Repositories } from "@tongs/core/contract/Repositories"
import { type Hosted, Hosting } from "../Hosting.ts"
import * as RefName from "../git/RefName.ts"
import type { Authenticated, Caller } from "../http/Caller.ts"
import { group } from "../http/Handlers.ts"
import * as Paging from "../http/Paging.ts"
import * as Refusal from "../http/Refusal.ts"
import { Roles } from "../http/Roles.ts"
import type { Urls } from "../http/Urls.ts"
import { Repositories as Rows, type RepositoryRow } from "../storage/Repositories.ts"
import type { UserRow } from "../storage/Users.ts"
import * as Shapes from "./Shapes.ts"

/** How many repositories are looked into at one time. */
const concurrency = 8

const facts = Effect.fnUntraced(function* ({ git }: Hosted) {
  const defaultBranch = yield* git.head
  const tip = yield* git.ref(`refs/heads/${defaultBranch}`)
  const commit = tip === undefined ? undefined : yield* git.commit(tip.oid)
  if (commit === undefined) return { defaultBranch, language: null, size: 0, pushedAt: undefined }
  const { bytes, languages } = yield* git.census(commit.tree)
  return {
    defaultBranch,
    language: languages[0]?.name ?? null,
    size: Math.ceil(bytes / 1024),
    pushedAt: commit.committer.seconds * 1000
  }
})

/** What a name may be: it becomes a folder's name. */
const isName = (name: string) => /^[A-Za-z0-9_.-]{1,100}$/.test(name) && !/^\.+$/.test(name) && !/\.(git|lock)$/i.test(name)

const readme = (name: string, description: string | null) =>
  Buffer.from(`# ${name}\n${description === null ? "" : `\n${description}\n`}`)

const key = (row: RepositoryRow, sort: "created" | "updated" | "full_name"): string => {
  switch (sort) {
    case "created":
      return row.created_at
    case "updated":
      return row.updated_at
    case "full_name":
      return `${row.owner.login}/${row.name}`.toLowerCase()
  }
}

const compare = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0)

const nameInvalid = Refusal.invalid("Repository creation failed.", [
  {
    resource: "Repository",
    field: "name",
    code: "invalid",
    message: "name may have 1 to 100 letters, digits, dots, hyphens and underscores, and cannot end in .git"
  }
])

const nameTaken = Refusal.invalid("Repository creation failed.", [
  { resource: "Repository", field: "name", code: "custom", message: "name already exists on this account" }
])

export const make = Effect.gen(function* () {
  const hosting = yield* Hosting
  const roles = yield* Roles
  const rows = yield* Rows

  const shape = Effect.fnUntraced(function* (hosted: Hosted, caller: Caller, urls: Urls) {
    return Shapes.repository(hosted, yield* facts(hosted), yield* roles.onRepository(caller, hosted.row), urls)
  })

  /** By the newest commit of the default branch: the only order for which git must be asked of all. */
  const byPush = Effect.fnUntraced(function* (rows: ReadonlyArray<RepositoryRow>) {
    const dated = yield* Effect.forEach(yield* hosting.open(rows), (hosted) =>
      Effect.map(Effect.option(facts(hosted)), (known) => ({
        row: hosted.row,
        pushedAt: Option.getOrUndefined(known)?.pushedAt ?? 0
      }))
    )
    return dated.sort((a, b) => compare(a.pushedAt, b.pushedAt)).map(({ row }) => row)
  })

  /** A first commit that holds a README. */
  const begin = Effect.fnUntraced(function* ({ git, row }: Hosted, author: UserRow) {
    const blob = yield* git.writeBlob(readme(row.name, row.description))
    const tree = yield* git.writeTree([{ path: "README.md", mode: "100644", oid: blob }])
    const person = yield* Shapes.personOf(author)
    const commit = yield* git.writeCommit({ tree, parents: [], author: person, committer: person, message: "Initial commit" })
    yield* git.createRef(RefName.branch(yield* git.head), commit)
  })

  const create = Effect.fnUntraced(function* (owner: UserRow, input: NewRepository, caller: Authenticated) {
    const { auto_init, ...creation } = input
    if (!isName(creation.name)) return yield* nameInvalid
    const hosted = yield* Effect.catchTag(hosting.create(owner, creation), "NameTaken", () => nameTaken)
    if (auto_init === true) yield* begin(hosted, caller.user)
    return hosted
  })

  return group(Repositories)({
    *get(_, { caller, repository, urls }) {
      return yield* shape(repository, caller, urls)
    },

    *mine({ direction, sort = "full_name", visibility = "all" }, { caller, page, urls }) {
      const own = (yield* hosting.list).filter(
        (row) =>
          row.owner.id === caller.user.id && (visibility === "all" || (visibility === "private") === (row.private === 1))
      )
      const visible = yield* roles.visible(caller, own)
      const ascending = (direction ?? (sort === "full_name" ? "asc" : "desc")) === "asc"
      const sorted = sort === "pushed" ? yield* byPush(visible) : visible.toSorted((a, b) => compare(key(a, sort), key(b, sort)))
      const slice = Paging.slice(ascending ? sorted : sorted.toReversed(), page)
      const hosted = yield* hosting.open(slice.items)
      const items = yield* Effect.forEach(hosted, (one) => Effect.option(shape(one, caller, urls)), { concurrency })
      return { ...slice, items: items.flatMap(Option.toArray) }
    },

    *create(input, { caller, urls }) {
      return yield* shape(yield* create(caller.user, input, caller), caller, urls)
    },

    *createInOrganization(input, { caller, organization, urls }) {
      if (caller.kind === "anonymous") return yield* Refusal.notFound() // not reached: the operation is not public
      return yield* shape(yield* create(organization, input, caller), caller, urls)
    },

    *update({ default_branch, owner: _, repo: __, visibility, ...change }, { caller, repository, urls }) {
      if (change.name !== undefined && !isName(change.name)) return yield* nameInvalid
      if (default_branch !== undefined) {
        const name = RefName.branch(default_branch)
        if ((yield* repository.git.ref(name)) === undefined) {
          return yield* Refusal.invalid(`The branch ${default_branch} was not found`, [
            { resource: "Repository", field: "default_branch", code: "invalid" }
          ])
        }
        yield* repository.git.setHead(default_branch)
      }
      const hidden = visibility === undefined ? change.private : visibility === "private"
      const wanted = { ...change, ...(hidden === undefined ? {} : { private: hidden }) }
      yield* Effect.catchTag(rows.update(repository.row.id, wanted), "NameTaken", () => nameTaken)
      const updated = yield* hosting.find(repository.row.owner.login, change.name ?? repository.row.name)
      return yield* shape(Option.getOrElse(updated, () => repository), caller, urls)
    }
  })
})
