/** The tool `commit`: changes of several files as one commit on a branch. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Forge } from "@tongs/core/client/Forge"
import * as Redirect from "@tongs/core/client/steps/Redirect"
import type { GitRef } from "@tongs/core/contract/groups/GitRefs"
import type { Failure } from "@tongs/core/contract/Failure"
import * as Inverse from "@tongs/core/contract/Inverse"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import type { Answer } from "../answer/Answer.ts"
import { type Call, repositoryOf, type RepositoryName } from "../call/Call.ts"
import { entryOf, type Tool } from "../call/Tool.ts"
import { ToolError } from "../call/ToolError.ts"
import * as ToolInput from "../call/ToolInput.ts"
import { WriteGuard } from "../call/WriteGuard.ts"
import * as BranchHead from "../commits/BranchHead.ts"
import * as FilePatch from "../commits/FilePatch.ts"
import * as FilePlan from "../commits/FilePlan.ts"
import * as OperationWrite from "../operations/OperationWrite.ts"
import * as QuotedText from "../text/QuotedText.ts"
import * as Change from "./Change.ts"

/** Maximum number of files of a commit. */
const MAX_FILES = 100

const Input = Schema.Struct({
  branch: Schema.String,
  message: Schema.String,
  files: Schema.Array(FilePlan.FileInput).check(Schema.isMinLength(1), Schema.isMaxLength(MAX_FILES)),
  from: Schema.optionalKey(Schema.String),
  dry_run: Schema.optionalKey(Schema.Boolean),
  repo: ToolInput.repo
})

const decode = ToolInput.decoder(Input)

const NAME = "commit"

/** Creates the tool. */
export const make = (): Tool => ({
  name: NAME,
  description:
    "Commit files to a branch, or a new one from a ref. Each file has edits (old occurs once), text, base64, delete or move (new path).",
  inputSchema: ToolInput.jsonSchema(Input, false),
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  needsExtension: false,
  isList: false,
  run: Effect.fnUntraced(function* (args, call) {
    const { branch: given, dry_run: dryRun = false, files: inputs, from, message, repo } = yield* decode(args)
    const repository = yield* repositoryOf(repo, call)
    const branch = yield* BranchHead.nameOf(given)
    const base = yield* BranchHead.read(repository, branch, from, call)
    const files = yield* FilePlan.make(inputs, repository, base, call)
    const { blobs, tree } = FilePlan.treeOf(files)
    const body = { base_tree: base.tree, tree }
    const guard = yield* WriteGuard
    const decision = yield* guard.check(
      entryOf("gitTrees.create"),
      { ...repository, ...body },
      {
        tool: NAME,
        call,
        dryRun,
        files: files.flatMap(({ written }) => (written === undefined ? [] : [written])),
        question: { summary: "Commit files", body: { branch, from, message, files: FilePlan.describe(files) } }
      }
    )
    if (decision._tag === "InputRequired") return decision
    const { hasText, isCut, items } = FilePatch.make(files)
    const answer = (commit: string | undefined, notes: ReadonlyArray<string>): Answer => ({
      source: {
        repo: `${repository.owner}/${repository.repo}`,
        [base.ref === undefined ? "new branch" : "branch"]: branch,
        commit: commit === undefined ? undefined : AbbreviatedId.of(commit)
      },
      items,
      notes: [
        ...(commit !== undefined && isCut
          ? [`The whole difference: read_commit ${JSON.stringify({ ref: commit, patch: "full" })}`]
          : []),
        ...notes
      ],
      isContent: true,
      isThirdParty: hasText,
      isLarge: true
    })
    if (decision._tag === "DryRun") return answer(undefined, ["Dry run: nothing was sent.", ...decision.notes])
    const { deadline, isRestricted } = decision
    const commit = yield* Effect.provideService(
      create({ blobs, body, message, parent: base.sha }, repository, deadline),
      Redirect.FollowsWrites,
      !isRestricted
    )
    const undo = yield* move({ base, branch, commit }, repository, call, deadline)
    return answer(commit, undo === undefined ? [] : [`Undo: ${OperationWrite.undoCall(undo, Change.naming)}`])
  })
})

interface NewCommit {
  readonly blobs: ReadonlyArray<Uint8Array>
  readonly body: { readonly base_tree: string; readonly tree: ReturnType<typeof FilePlan.treeOf>["tree"] }
  readonly message: string
  readonly parent: string
}

/** Blobs to create at the same time. */
const CONCURRENCY = 4

/** Creates the commit, which no branch has yet. Returns its id. */
const create = Effect.fnUntraced(function* (
  { blobs, body, message, parent }: NewCommit,
  repository: RepositoryName,
  deadline: number
) {
  const forge = yield* Forge
  yield* Effect.forEach(
    blobs,
    (bytes) =>
      forge.gitBlobs.create(
        { ...repository, content: Buffer.from(bytes).toString("base64"), encoding: "base64" },
        { deadline }
      ),
    { concurrency: CONCURRENCY, discard: true }
  )
  const tree = yield* forge.gitTrees.create({ ...repository, ...body }, { deadline })
  const commit = yield* forge.gitCommits.create(
    { ...repository, message, tree: tree.sha, parents: [parent] },
    { deadline }
  )
  return commit.sha
})

interface Move {
  readonly base: BranchHead.BranchHead
  readonly branch: string
  readonly commit: string
}

/** Moves the branch to the commit, which only succeeds from the base. Returns the call that undoes it. */
const move = Effect.fnUntraced(function* (
  { base, branch, commit }: Move,
  repository: RepositoryName,
  call: Call,
  deadline: number
) {
  const forge = yield* Forge
  const guard = yield* WriteGuard
  const isNew = base.ref === undefined
  const entry = entryOf(isNew ? "gitRefs.create" : "gitRefs.update")
  const input = { ...repository, ref: `${isNew ? "refs/" : ""}heads/${branch}`, sha: commit }
  const decision = yield* guard.check(entry, input, { tool: NAME, call })
  if (decision._tag !== "Run")
    return yield* new ToolError({ detail: `Nothing was committed: ${branch} cannot be moved.` })
  const send: Effect.Effect<GitRef, Failure> = isNew
    ? forge.gitRefs.create(input, { deadline })
    : forge.gitRefs.update({ ...input, force: false }, { deadline })
  const result = yield* send.pipe(
    Effect.provideService(Redirect.FollowsWrites, !decision.isRestricted),
    Effect.catch((failure) => settle(failure, { base, branch, commit }, repository, call))
  )
  // No undo if another commit followed, because the undo would remove that commit, too.
  return result.object.sha === commit ? Inverse.inverse(entry, input, base.ref, result) : undefined
})

/** Finds out whether the branch was moved, after a failure that can also come from another commit to it. */
const settle = Effect.fnUntraced(function* (
  failure: Failure,
  { base, branch, commit }: Move,
  repository: RepositoryName,
  call: Call
): Effect.fn.Return<GitRef, Failure | ToolError, Forge> {
  const now = yield* Effect.orElseSucceed(BranchHead.find(repository, branch, call), () => base.ref)
  if (now?.object.sha === commit) return now
  if (now?.object.sha === base.ref?.object.sha) {
    if (failure._tag !== "Conflict" && failure._tag !== "ValidationFailed") return yield* Effect.fail(failure)
    return yield* new ToolError({
      detail: `Nothing was committed: the forge does not move ${QuotedText.quote(branch, 100)}: ${QuotedText.quote(failure.message, 600)}. Commit to another branch; a new one starts at from.`
    })
  }
  if (now === undefined) return yield* new ToolError({ detail: "Nothing was committed: the branch was deleted." })
  if (yield* BranchHead.contains(repository, now.object.sha, commit, call)) return now
  return yield* BranchHead.moved(repository, branch, { from: base.sha, to: now.object.sha }, call)
})
