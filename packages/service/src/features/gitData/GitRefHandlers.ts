import * as Effect from "effect/Effect"
import { type GitRef, GitRefs } from "@tongs/core/contract/groups/GitRefs"
import type { GitRepository } from "../../git/GitRepository.ts"
import * as RefName from "../../git/values/RefName.ts"
import type { Ref } from "../../git/refs/Refs.ts"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import { nodeId } from "../../api/NodeId.ts"
import { group } from "../../api/Handlers.ts"
import * as ApiError from "../../api/ApiError.ts"
import { encodePath, type Urls } from "../../api/Urls.ts"
import * as EmptyRepository from "../../api/EmptyRepository.ts"
import * as Shapes from "../../api/Shapes.ts"
import * as RefMoves from "./RefMoves.ts"

const shape = (
  served: ServedRepository,
  urls: Urls,
  { name, oid, type }: Pick<Ref, "name" | "oid" | "type">
): GitRef => ({
  ref: name,
  node_id: nodeId("Ref", `${served.row.id}:${name}`),
  url: `${Shapes.repositoryUrl(served, urls)}/git/${encodePath(name)}`,
  object: { type, sha: Shapes.sha(oid), url: Shapes.objectUrl(served, urls, type, oid) }
})

/** Adds `refs/` to `heads/x`. Some clients send the full name. */
const fullName = (ref: string) => (ref.startsWith("refs/") ? ref : `refs/${ref}`)

const validName = (name: string, accepts: (name: string) => boolean = RefName.isValid) =>
  name.startsWith("refs/") && name.split("/").length > 2 && accepts(name)
    ? Effect.void
    : Effect.fail(
        ApiError.invalid("Invalid reference name. Use a valid git name such as refs/heads/feature", [
          { resource: "Reference", field: "ref", code: "invalid" }
        ])
      )

/** Target object of a reference. Fails if the object does not exist, or if a branch would not point to a commit. */
const target = Effect.fnUntraced(function* (git: GitRepository, name: string, sha: string) {
  const object = yield* git.info(sha)
  if (object === undefined) {
    return yield* ApiError.invalid("Object does not exist", [{ resource: "Reference", field: "sha", code: "invalid" }])
  }
  if (name.startsWith("refs/heads/") && object.type !== "commit") {
    return yield* ApiError.invalid(`A branch must point to a commit, but ${sha} is a ${object.type}`)
  }
  return object
})

const current = Effect.fnUntraced(function* (git: GitRepository, name: string) {
  const ref = yield* git.ref(name)
  return ref ?? (yield* ApiError.invalid("Reference does not exist"))
})

const isFastForward = (git: GitRepository, from: Ref, to: { readonly oid: string; readonly type: string }) =>
  from.oid === to.oid
    ? Effect.succeed(true)
    : from.type === "commit" && to.type === "commit"
      ? git.isAncestor(from.oid, to.oid)
      : Effect.succeed(false)

export const make = Effect.gen(function* () {
  const move = yield* RefMoves.make

  return group(GitRefs)({
    *listMatching({ ref }, { repository, urls }) {
      yield* EmptyRepository.failIfEmpty(repository.git)
      const refs = yield* repository.git.refs(ref === "" ? "refs/" : fullName(ref))
      return refs.map((one) => shape(repository, urls, one))
    },

    *get({ ref }, { repository, urls }) {
      const found = yield* repository.git.ref(fullName(ref))
      if (found !== undefined) return shape(repository, urls, found)
      yield* EmptyRepository.failIfEmpty(repository.git)
      return yield* ApiError.notFound()
    },

    *create({ ref, sha }, context) {
      const { repository, urls } = context
      const { git } = repository
      yield* EmptyRepository.failIfEmpty(git)
      yield* validName(ref, RefName.isCreatable)
      const object = yield* target(git, ref, sha)
      yield* move(context, { ref, before: null, after: object.oid })
      return shape(repository, urls, { name: ref, ...object })
    },

    *update({ force = false, ref, sha }, context) {
      const { repository, urls } = context
      const { git } = repository
      const name = fullName(ref)
      yield* EmptyRepository.failIfEmpty(git)
      yield* validName(name)
      const object = yield* target(git, name, sha)
      const write = Effect.gen(function* () {
        const from = yield* current(git, name)
        if (!force && !(yield* isFastForward(git, from, object))) {
          return yield* ApiError.invalid("Update is not a fast forward")
        }
        if (from.oid === object.oid) return
        yield* move(context, { ref: name, before: from.oid, after: object.oid })
      })
      yield* RefMoves.retryRaces(write)
      return shape(repository, urls, { name, ...object })
    },

    *delete({ ref }, context) {
      const { git } = context.repository
      const name = fullName(ref)
      yield* EmptyRepository.failIfEmpty(git)
      yield* validName(name)
      if (name === `refs/heads/${yield* git.head}`) {
        return yield* ApiError.invalid("Cannot delete the default branch")
      }
      const write = Effect.gen(function* () {
        const { oid } = yield* current(git, name)
        yield* move(context, { ref: name, before: oid, after: null })
      })
      yield* RefMoves.retryRaces(write)
    }
  })
})
