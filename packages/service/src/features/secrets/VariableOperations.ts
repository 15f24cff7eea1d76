/** The operations that variables of organizations, repositories and environments share. */
import * as Effect from "effect/Effect"
import type { NotFound } from "@tongs/core/contract/Failure"
import type { Variable } from "@tongs/core/contract/groups/Variable"
import * as ApiError from "../../api/ApiError.ts"
import type { RequestContext } from "../../api/RequestContext.ts"
import { parseTimestamp } from "../../base/Time.ts"
import * as Transaction from "../../storage/Transaction.ts"
import * as ValueContent from "./ValueContent.ts"
import type { Selection, ValueOwner } from "./ValueRows.ts"
import { type VariableRow, VariableRows } from "./VariableRows.ts"

interface Named {
  readonly variable_name: string
}

interface NewVariable {
  readonly name: string
  readonly value: string
}

interface VariableChange extends Named {
  readonly name?: string | undefined
  readonly value?: string | undefined
}

const alreadyExists = () => ApiError.conflict("Already exists - Variable already exists")

/** Returns the problem of a variable, if any. */
const problemOf = ({ name, value }: Pick<VariableChange, "name" | "value">) => {
  if (value !== undefined && Buffer.byteLength(value) > ValueContent.MAX_BYTES) return ValueContent.tooLarge("variable")
  return name === undefined ? undefined : ValueContent.nameProblem("variable", name)
}

export const shape = ({ created_at, name, updated_at, value }: VariableRow): Variable => ({
  name,
  value,
  created_at: parseTimestamp(created_at),
  updated_at: parseTimestamp(updated_at)
})

/** Creates the operations. */
export const make = Effect.gen(function* () {
  const rows = yield* VariableRows
  const transaction = yield* Transaction.make

  const find = Effect.fnUntraced(function* (owner: ValueOwner, { variable_name: name }: Named) {
    return (yield* rows.find(owner, name)) ?? (yield* ApiError.notFound())
  })

  /** Sets the repositories that have a variable: only a `selected` one has a list. */
  const select = (id: number, visibility: Selection["visibility"], repositories: ReadonlyArray<number> | undefined) =>
    visibility !== "selected"
      ? rows.setRepositories(id, [])
      : repositories === undefined
        ? Effect.void
        : rows.setRepositories(id, repositories)

  return {
    find,

    create: Effect.fnUntraced(function* (
      owner: ValueOwner,
      { name, value }: NewVariable,
      { repositories, visibility }: Selection = {}
    ) {
      const problem = problemOf({ name, value })
      if (problem !== undefined) return yield* problem
      yield* transaction(
        Effect.gen(function* () {
          const excess = ValueContent.countProblem("variable", owner, yield* rows.count(owner))
          if (excess !== undefined) return yield* excess
          const id = (yield* rows.add(owner, { name, content: value }, visibility)) ?? (yield* alreadyExists())
          yield* select(id, visibility, repositories)
        })
      )
      return {}
    }),

    update: Effect.fnUntraced(function* (
      owner: ValueOwner,
      { name, value, variable_name }: VariableChange,
      { repositories, visibility }: Selection = {}
    ) {
      const problem = problemOf({ name, value })
      if (problem !== undefined) return yield* problem
      yield* transaction(
        Effect.gen(function* () {
          const before = yield* find(owner, { variable_name })
          const same = name === undefined ? undefined : yield* rows.find(owner, name)
          if (same !== undefined && same.id !== before.id) return yield* alreadyExists()
          yield* rows.update(before.id, { name, content: value }, visibility)
          yield* select(before.id, visibility ?? before.visibility ?? undefined, repositories)
        })
      )
    })
  }
})

export type VariableOperations = Effect.Success<typeof make>

/** The handlers of variables of repositories and environments. `ownerOf` finds the owner of a request. */
export const handlers = <Input, X extends RequestContext>(
  operations: VariableOperations,
  rows: VariableRows["Service"],
  ownerOf: (input: Input, context: X) => Effect.Effect<ValueOwner, NotFound>
) => ({
  *list(input: Input, context: X) {
    const { items, total } = yield* rows.list(yield* ownerOf(input, context), context.page)
    return {
      items: items.map(shape),
      total,
      wrap: (variables: ReadonlyArray<Variable>) => ({ total_count: total, variables })
    }
  },

  *create(input: Input & NewVariable, context: X) {
    return yield* operations.create(yield* ownerOf(input, context), input)
  },

  *get(input: Input & Named, context: X) {
    return shape(yield* operations.find(yield* ownerOf(input, context), input))
  },

  *update(input: Input & VariableChange, context: X) {
    yield* operations.update(yield* ownerOf(input, context), input)
  },

  *delete(input: Input & Named, context: X) {
    const { id } = yield* operations.find(yield* ownerOf(input, context), input)
    yield* rows.remove(id)
  }
})
