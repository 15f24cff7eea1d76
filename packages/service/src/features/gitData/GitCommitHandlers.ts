import * as Effect from "effect/Effect"
import { GitCommits } from "@tongs/core/contract/groups/GitCommits"
import type { Commit } from "../../git/values/GitObject.ts"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import { group } from "../../api/Handlers.ts"
import * as ApiError from "../../api/ApiError.ts"
import type { Urls } from "../../api/Urls.ts"
import { Verifier } from "../../verification/Verifier.ts"
import * as EmptyRepository from "../../api/EmptyRepository.ts"
import * as Shapes from "../../api/Shapes.ts"
import * as NewPerson from "./NewPerson.ts"

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
      const author = yield* input.author === undefined
        ? Shapes.personOf(caller.user)
        : NewPerson.make(input.author, "Commit", "author")
      const committer =
        input.committer === undefined ? author : yield* NewPerson.make(input.committer, "Commit", "committer")
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
