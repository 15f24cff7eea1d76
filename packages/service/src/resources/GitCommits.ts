import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { GitCommits } from "@tongs/core/contract/GitCommits"
import type { Person } from "../git/GitObject.ts"
import { group } from "../http/Handlers.ts"
import * as Refusal from "../http/Refusal.ts"
import * as Shapes from "./Shapes.ts"

interface NewPerson {
  readonly name: string
  readonly email: string
  readonly date?: string
}

/** `2014-11-07T22:01:45+02:00` keeps its time zone in the commit. */
const person = ({ date, email, name }: NewPerson, now: number): Person => {
  const [, sign, hours, minutes] = /([+-])(\d\d):?(\d\d)$/.exec(date ?? "") ?? []
  return {
    name,
    email,
    seconds: Math.floor((date === undefined ? now : Date.parse(date)) / 1000),
    timezone: sign === undefined ? "+0000" : `${sign}${hours}${minutes}`
  }
}

export const make = Effect.succeed(
  group(GitCommits)({
    *get({ commit_sha }, { repository, urls }) {
      const commit = yield* repository.git.commit(commit_sha)
      return commit === undefined ? yield* Refusal.notFound() : Shapes.gitCommit(repository, urls, commit_sha, commit)
    },

    *create(input, { caller, repository, urls }) {
      if (caller.kind === "anonymous") return yield* Refusal.notFound() // not reached: the operation is not public
      const now = yield* Clock.currentTimeMillis
      const author = input.author === undefined ? yield* Shapes.personOf(caller.user) : person(input.author, now)
      const committer = input.committer === undefined ? author : person(input.committer, now)
      const { git } = repository
      const oid = yield* git.writeCommit({
        tree: input.tree,
        parents: input.parents ?? [],
        author,
        committer,
        message: input.message,
        ...(input.signature === undefined ? {} : { signature: input.signature })
      })
      const commit = yield* git.commit(oid)
      return commit === undefined ? yield* Refusal.notFound() : Shapes.gitCommit(repository, urls, oid, commit)
    }
  })
)
