/** Mutations of references, and commits on a branch. Each runs operations of the REST API. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as NodeId from "../../api/NodeId.ts"
import { encodePath } from "../../api/Urls.ts"
import * as RequestTarget from "../../api/RequestTarget.ts"
import * as MutationNodes from "./MutationNodes.ts"
import { type Input, isGiven, pathOf, textOf } from "./MutationNodes.ts"
import type { RefMutationName } from "./MutationSchema.ts"
import * as QueryError from "./QueryError.ts"
import { ref } from "./RepositoryObjects.ts"
import type { FoundRepository, RunningQuery } from "./RunningQuery.ts"

const decodeSha = Schema.decodeUnknownSync(Schema.Struct({ sha: Schema.String }))
const decodeChanges = Schema.decodeUnknownSync(
  Schema.Struct({
    additions: Schema.optionalKey(
      Schema.NullOr(Schema.Array(Schema.Struct({ path: Schema.String, contents: Schema.String })))
    ),
    deletions: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.Struct({ path: Schema.String }))))
  })
)
const decodeBranch = Schema.decodeUnknownSync(
  Schema.Struct({
    id: Schema.optionalKey(Schema.NullOr(Schema.String)),
    repositoryNameWithOwner: Schema.optionalKey(Schema.NullOr(Schema.String)),
    branchName: Schema.optionalKey(Schema.NullOr(Schema.String))
  })
)
const decodeMessage = Schema.decodeUnknownSync(
  Schema.Struct({ headline: Schema.String, body: Schema.optionalKey(Schema.NullOr(Schema.String)) })
)

/** Mode of a new file without a previous version. */
const FILE_MODE = "100644"

interface Branch {
  readonly at: FoundRepository
  /** Full name of the reference. */
  readonly name: string
}

/** Creates the function that returns the fields of `Mutation`. */
export const make = Effect.gen(function* () {
  const nodes = yield* MutationNodes.make
  const targets = yield* RequestTarget.make

  return (query: RunningQuery) => {
    const { missing, repositoryOf } = nodes(query)
    const call = (method: string, path: string, body?: object) => query.run(query.call(method, path, body))
    const create = async (path: string, body: object) => decodeSha(await call("POST", path, body)).sha

    /** Returns the repository and the full name of a reference by node id. */
    const refOf = async (id: unknown): Promise<Branch> => {
      const node = NodeId.fromNodeId(textOf(id))
      const [, repositoryId = "", name = ""] = /^(\d+):(.+)$/.exec(node?.id ?? "") ?? []
      const at = node?.type === "Ref" ? await query.findRepository(Number(repositoryId)) : undefined
      if (at === undefined) throw missing(id)
      return { at, name }
    }
    const refPath = ({ at, name }: Branch) => `${pathOf(at)}/git/${encodePath(name)}`
    const shown = ({ at, name }: Branch) => ({ ref: () => ref(query, at, name) })

    const branchOf = async (input: unknown): Promise<Branch> => {
      const { branchName, id, repositoryNameWithOwner } = decodeBranch(input)
      if (isGiven(id)) return refOf(id)
      const [owner = "", name = ""] = textOf(repositoryNameWithOwner).split("/")
      if (owner === "" || name === "" || !isGiven(branchName))
        throw QueryError.unprocessable(
          "Either an `id` or both a `repositoryNameWithOwner` and a `branchName` are required."
        )
      const { repository: served, role } = await query.run(targets.repository(owner, name, query.caller))
      return { at: { served, role }, name: `refs/heads/${textOf(branchName).replace(/^refs\/heads\//, "")}` }
    }

    /** Creates the tree of a commit with changes. Files keep their modes. */
    const treeOf = async ({ at }: Branch, parent: string, changes: ReturnType<typeof decodeChanges>) => {
      const { git } = at.served
      const added = []
      for (const { contents, path } of changes.additions ?? []) {
        const sha = await create(`${pathOf(at)}/git/blobs`, { content: contents, encoding: "base64" })
        const before = await query.run(git.entryAt(parent, path))
        const mode = before?.kind === "file" || before?.kind === "symlink" ? before.mode : FILE_MODE
        added.push({ path, mode, type: "blob", sha })
      }
      const deleted = (changes.deletions ?? []).map(({ path }) => ({ path, mode: FILE_MODE, type: "blob", sha: null }))
      const base = (await query.run(git.commit(parent)))?.tree
      return create(`${pathOf(at)}/git/trees`, { base_tree: base, tree: [...deleted, ...added] })
    }

    const mutations: Readonly<Record<RefMutationName, (input: Input) => Promise<object>>> = {
      createRef: async (input) => {
        const at = await repositoryOf(input["repositoryId"])
        const name = textOf(input["name"])
        await call("POST", `${pathOf(at)}/git/refs`, { ref: name, sha: textOf(input["oid"]) })
        return shown({ at, name })
      },
      updateRef: async (input) => {
        const found = await refOf(input["refId"])
        await call("PATCH", refPath(found), { sha: textOf(input["oid"]), force: input["force"] === true })
        return shown(found)
      },
      deleteRef: async (input) => {
        await call("DELETE", refPath(await refOf(input["refId"])))
        return {}
      },
      createCommitOnBranch: async (input) => {
        const branch = await branchOf(input["branch"])
        const { at, name } = branch
        const expected = textOf(input["expectedHeadOid"])
        const head = (await query.run(at.served.git.ref(name)))?.oid
        if (head === undefined) throw QueryError.unresolved(`a Ref with the name '${name}'`)
        if (head !== expected) {
          const message = `Expected branch to point to "${head}" but it did not. Pull and try again.`
          throw new QueryError.QueryError("STALE_DATA", message)
        }
        const { body, headline } = decodeMessage(input["message"])
        const tree = await treeOf(branch, head, decodeChanges(input["fileChanges"] ?? {}))
        const message = isGiven(body) && body !== "" ? `${headline}\n\n${textOf(body)}` : headline
        const oid = await create(`${pathOf(at)}/git/commits`, { message, tree, parents: [head] })
        // Fails if the branch moved in the meantime.
        await call("PATCH", refPath(branch), { sha: oid, force: false })
        return { ...shown(branch), commit: () => query.gitObject(at, oid) }
      }
    }
    return mutations
  }
})
