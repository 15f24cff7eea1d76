import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { GitCommits } from "@tongs/core/contract/GitCommits"
import type { Commit, Person } from "../../git/GitObject.ts"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import { group } from "../../api/Handlers.ts"
import * as ApiError from "../../api/ApiError.ts"
import type { Urls } from "../../api/Urls.ts"
import { Verifier } from "../../verification/Verifier.ts"
import * as EmptyRepository from "../../api/EmptyRepository.ts"
import * as Shapes from "../../api/Shapes.ts"

interface NewPerson {
  readonly name: string
  readonly email: string
  readonly date?: string
}

/** Author or committer of a commit. Keeps the time zone of `date`, for example `2014-11-07T22:01:45+02:00`. */
const person = ({ date, email, name }: NewPerson, now: number): Person => {
  const [, sign, hours, minutes] = /([+-])(\d\d):?(\d\d)$/.exec(date ?? "") ?? []
  return {
    name,
    email,
    seconds: Math.floor((date === undefined ? now : Date.parse(date)) / 1000),
    timezone: sign === undefined ? "+0000" : `${sign}${hours}${minutes}`
  }
}

const noSuchMoment = (field: string) =>
  Effect.fail(ApiError.invalid(`Invalid timestamp in ${field}`, [{ resource: "Commit", field, code: "invalid" }]))

/** Handler that creates commit objects. */
export const make = Effect.gen(function* () {
  const verifier = yield* Verifier

  const shape = (served: ServedRepository, urls: Urls, oid: string, commit: Commit) =>
    Effect.map(verifier.verify({ oid, signature: commit.signature, signer: commit.committer }), (verification) =>
      Shapes.gitCommit(served, urls, oid, commit, verification)
    )

  return group(GitCommits)({
    *get({ commit_sha }, { repository, urls }) {
      const commit = yield* repository.git.commit(commit_sha)
      return yield* commit === undefined
        ? EmptyRepository.notFound(repository.git)
        : shape(repository, urls, commit_sha, commit)
    },

    *create(input, { caller, repository, urls }) {
      if (caller.kind === "anonymous") return yield* ApiError.notFound() // unreachable: the operation requires sign-in
      for (const field of ["author", "committer"] as const) {
        if (Number.isNaN(Date.parse(input[field]?.date ?? "1970-01-01"))) yield* noSuchMoment(`${field}.date`)
      }
      const now = yield* Clock.currentTimeMillis
      const author = input.author === undefined ? yield* Shapes.personOf(caller.user) : person(input.author, now)
      const committer = input.committer === undefined ? author : person(input.committer, now)
      const { git } = repository
      yield* EmptyRepository.failIfEmpty(git)
      const oid = yield* git.writeCommit({
        tree: input.tree,
        parents: input.parents ?? [],
        author,
        committer,
        message: input.message,
        ...(input.signature === undefined ? {} : { signature: input.signature })
      })
      const commit = yield* git.commit(oid)
      return yield* commit === undefined ? ApiError.notFound() : shape(repository, urls, oid, commit)
    }
  })
})
