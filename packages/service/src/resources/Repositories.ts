import * as Effect from "effect/Effect"
import { Repositories } from "@tongs/core/contract/Repositories"
import type { Repository } from "@tongs/core/contract/Repository"
import { type Hosted, Hosting } from "../Hosting.ts"
import type { Caller } from "../http/Caller.ts"
import { group } from "../http/Handlers.ts"
import * as Access from "../http/Access.ts"
import * as Paging from "../http/Paging.ts"
import * as Refusal from "../http/Refusal.ts"
import type { Urls } from "../http/Urls.ts"
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

const shape = (hosted: Hosted, caller: Caller, urls: Urls) =>
  Effect.map(facts(hosted), (facts) => Shapes.repository(hosted, facts, Access.isOwner(caller, hosted), urls))

/** What a name may be: it becomes a folder's name. */
const isName = (name: string) => /^[A-Za-z0-9_.-]{1,100}$/.test(name) && !/^\.+$/.test(name) && !/\.(git|lock)$/i.test(name)

const readme = (name: string, description: string | undefined) =>
  Buffer.from(`# ${name}\n${description === undefined ? "" : `\n${description}\n`}`)

const key = (repository: Repository, sort: string): string => {
  switch (sort) {
    case "created":
      return repository.created_at ?? ""
    case "updated":
      return repository.updated_at ?? ""
    case "pushed":
      return repository.pushed_at ?? ""
    default:
      return repository.full_name.toLowerCase()
  }
}

export const make = Effect.gen(function* () {
  const hosting = yield* Hosting
  return group(Repositories)({
    *get(_, { caller, repository, urls }) {
      return yield* shape(repository, caller, urls)
    },

    *mine({ direction, sort = "full_name", visibility = "all" }, { caller, page, urls }) {
      const all = yield* hosting.list
      const mine = all.filter(
        (one) =>
          one.row.owner.id === caller.user.id &&
          Access.canSee(caller, one) &&
          (visibility === "all" || (visibility === "private") === (one.row.private === 1))
      )
      const shapes = yield* Effect.forEach(mine, (one) => Effect.option(shape(one, caller, urls)), { concurrency })
      const repositories = shapes.flatMap((one) => (one._tag === "Some" ? [one.value] : []))
      const sign = (direction ?? (sort === "full_name" ? "asc" : "desc")) === "asc" ? 1 : -1
      repositories.sort((a, b) => sign * (key(a, sort) < key(b, sort) ? -1 : key(a, sort) > key(b, sort) ? 1 : 0))
      return Paging.slice(repositories, page)
    },

    *create({ auto_init, ...creation }, { caller, urls }) {
      if (!isName(creation.name)) {
        return yield* Refusal.invalid("Repository creation failed.", [
          {
            resource: "Repository",
            field: "name",
            code: "invalid",
            message: "name may have 1 to 100 letters, digits, dots, hyphens and underscores, and cannot end in .git"
          }
        ])
      }
      const hosted = yield* hosting.create(caller.user, creation).pipe(
        Effect.catchTag("NameTaken", () =>
          Refusal.invalid("Repository creation failed.", [
            { resource: "Repository", field: "name", code: "custom", message: "name already exists on this account" }
          ])
        )
      )
      if (auto_init === true) {
        const { git } = hosted
        const blob = yield* git.writeBlob(readme(creation.name, creation.description))
        const tree = yield* git.writeTree([{ path: "README.md", mode: "100644", oid: blob }])
        const person = yield* Shapes.personOf(caller.user)
        const commit = yield* git.writeCommit({ tree, parents: [], author: person, committer: person, message: "Initial commit" })
        yield* git.createRef(`refs/heads/${yield* git.head}`, commit)
      }
      return yield* shape(hosted, caller, urls)
    }
  })
})
