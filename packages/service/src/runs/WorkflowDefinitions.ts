/** Workflow files of a repository: their names and the inputs of dispatches, and the rows that follow from them. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import { LruCache } from "../base/LruCache.ts"
import * as YamlText from "../base/YamlText.ts"
import { kindOfMode } from "../git/objects/Objects.ts"
import type { GitError } from "../git/values/GitError.ts"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import * as Transaction from "../storage/Transaction.ts"
import { WorkflowRows } from "./WorkflowRows.ts"

/** The folder of workflow files. */
export const FOLDER = ".github/workflows"

/** Maximum workflows of a repository. */
const MAX_FILES = 500
/** Maximum length of a name in characters. */
const MAX_NAME = 255

/** Maximum repositories whose folder is remembered. */
const MAX_KNOWN = 10_000

/** An input of a dispatch. */
export interface WorkflowInput {
  readonly type: string
  readonly required: boolean
  readonly default: unknown
  readonly options: ReadonlyArray<unknown>
}

export interface WorkflowDefinition {
  readonly name: string | undefined
  /** Inputs of a dispatch by name. Undefined if the workflow cannot be dispatched. */
  readonly inputs: Readonly<Record<string, WorkflowInput>> | undefined
}

const member = (value: unknown, name: string): unknown =>
  Predicate.isObject(value) && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined

const inputOf = (given: unknown): WorkflowInput => {
  const [type, options] = [member(given, "type"), member(given, "options")]
  return {
    type: typeof type === "string" ? type : "string",
    required: member(given, "required") === true,
    default: member(given, "default"),
    options: Array.isArray(options) ? options : []
  }
}

/** Returns the inputs of `workflow_dispatch`, which is a member, an item or the value of `on`. */
const inputsOf = (on: unknown): WorkflowDefinition["inputs"] => {
  const event = "workflow_dispatch"
  if (on === event || (Array.isArray(on) && on.includes(event))) return {}
  if (!Predicate.isObject(on) || Array.isArray(on) || !Object.hasOwn(on, event)) return undefined
  const inputs = member(member(on, event), "inputs")
  return Predicate.isObject(inputs)
    ? Object.fromEntries(Object.entries(inputs).map(([name, one]) => [name, inputOf(one)]))
    : {}
}

/** Parses a workflow file. A file that is not YAML has neither a name nor inputs. */
const parse = (bytes: Uint8Array) =>
  Effect.map(YamlText.parse(bytes), (content): WorkflowDefinition => {
    const name = member(content, "name")
    return {
      name: typeof name === "string" && name.trim() !== "" ? name.trim().slice(0, MAX_NAME) : undefined,
      inputs: inputsOf(member(content, "on"))
    }
  })

export const isWorkflowPath = (path: string) => /^\.github\/workflows\/[^/]+\.ya?ml$/.test(path)

/** Reads workflow files. */
export class WorkflowDefinitions extends Context.Service<
  WorkflowDefinitions,
  {
    /** Makes the rows agree with the files of the default branch. Runs no statement while the folder is the same. */
    sync(repository: ServedRepository): Effect.Effect<void, GitError>
    /** Reads the file at a path of a commit. Undefined if the commit does not have the file. */
    read(
      repository: ServedRepository,
      commit: string,
      path: string
    ): Effect.Effect<WorkflowDefinition | undefined, GitError>
  }
>()("@tongs/service/runs/WorkflowDefinitions") {
  static readonly layer = Layer.effect(
    WorkflowDefinitions,
    Effect.gen(function* () {
      const rows = yield* WorkflowRows
      const transaction = yield* Transaction.make
      const known = new LruCache<string>(MAX_KNOWN)

      const readBlob = Effect.fnUntraced(function* ({ git }: ServedRepository, oid: string) {
        const info = yield* git.info(oid)
        const isSmall = info !== undefined && info.size <= YamlText.MAX_SIZE
        const blob = isSmall ? yield* git.blob(oid, YamlText.MAX_SIZE) : undefined
        return blob === undefined ? { name: undefined, inputs: undefined } : yield* parse(blob.bytes)
      })

      const filesOf = Effect.fnUntraced(function* ({ git }: ServedRepository, folder: string | undefined) {
        const entries = folder === undefined ? [] : ((yield* git.tree(folder)) ?? [])
        return entries
          .filter(({ mode, name }) => kindOfMode(mode) === "file" && isWorkflowPath(`${FOLDER}/${name}`))
          .slice(0, MAX_FILES)
          .map(({ name, oid }) => ({ path: `${FOLDER}/${name}`, oid }))
      })

      const update = Effect.fnUntraced(function* (repository: ServedRepository, folder: string | undefined) {
        const repositoryId = repository.row.id
        const files = yield* filesOf(repository, folder)
        const before = new Map((yield* rows.all(repositoryId)).map((row) => [row.path, row]))
        const changed = files.filter(({ oid, path }) => {
          const row = before.get(path)
          return row === undefined || row.blob !== oid || row.state === "deleted"
        })
        const puts = yield* Effect.forEach(changed, ({ oid, path }) =>
          Effect.map(readBlob(repository, oid), ({ name = path }) => rows.put({ repositoryId, path, name, blob: oid }))
        )
        const paths = new Set(files.map(({ path }) => path))
        const removed = [...before.values()].filter(
          ({ blob, path, state }) => blob !== null && state !== "deleted" && !paths.has(path)
        )
        if (puts.length + removed.length === 0) return
        yield* transaction(
          Effect.gen(function* () {
            yield* Effect.all(puts, { discard: true })
            yield* Effect.forEach(removed, ({ id }) => rows.setState(id, "deleted"), { discard: true })
          })
        )
      })

      return WorkflowDefinitions.of({
        sync: Effect.fn("WorkflowDefinitions.sync")(function* (repository) {
          const { git, row } = repository
          const commit = yield* git.resolve("HEAD")
          const entry = commit === undefined ? undefined : yield* git.entryAt(commit, FOLDER)
          const folder = entry?.kind === "dir" ? entry.oid : undefined
          const state = folder ?? "none"
          if (known.get(String(row.id)) === state) return
          yield* update(repository, folder)
          known.set(String(row.id), state)
        }),
        read: Effect.fn("WorkflowDefinitions.read")(function* (repository, commit, path) {
          const entry = isWorkflowPath(path) ? yield* repository.git.entryAt(commit, path) : undefined
          return entry?.kind === "file" ? yield* readBlob(repository, entry.oid) : undefined
        })
      })
    })
  )
}
