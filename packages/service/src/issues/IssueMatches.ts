/**
 * The issues that match a condition, as sets of ids. Each part of a condition reads one index of the database, and the
 * sets are combined here: for many rows, a join in the database takes ten times as long.
 */
import * as IdSet from "../base/IdSet.ts"

/** A condition whose parts are sets of issues by number. */
export type Expression =
  | { readonly _tag: "And" | "Or"; readonly parts: ReadonlyArray<Expression> }
  | { readonly _tag: "Not"; readonly part: Expression }
  | { readonly _tag: "Set"; readonly index: number }

/** A set of issues: the ids, or all issues but the ids. */
export interface IssueSet {
  readonly ids: IdSet.IdSet
  readonly isComplement: boolean
}

const not = ({ ids, isComplement }: IssueSet): IssueSet => ({ ids, isComplement: !isComplement })

/** Returns the issues that are in both sets. */
export const and = (a: IssueSet, b: IssueSet): IssueSet => {
  if (a.isComplement) {
    return b.isComplement
      ? { ids: a.ids.union(b.ids), isComplement: true }
      : { ids: b.ids.difference(a.ids), isComplement: false }
  }
  return { ids: b.isComplement ? a.ids.difference(b.ids) : a.ids.intersection(b.ids), isComplement: false }
}

/** Returns the issues that match. */
export const evaluate = (self: Expression, sets: ReadonlyArray<IdSet.IdSet>): IssueSet => {
  switch (self._tag) {
    case "And":
      return self.parts.map((part) => evaluate(part, sets)).reduce(and, { ids: new IdSet.IdSet(), isComplement: true })
    case "Or":
      return not(
        self.parts.map((part) => not(evaluate(part, sets))).reduce(and, { ids: new IdSet.IdSet(), isComplement: true })
      )
    case "Not":
      return not(evaluate(self.part, sets))
    case "Set":
      return { ids: sets[self.index] ?? new IdSet.IdSet(), isComplement: false }
  }
}

export const has = ({ ids, isComplement }: IssueSet, id: number): boolean => ids.has(id) !== isComplement

/** Returns the number of issues in the set. `all` is the number of all issues. */
export const size = ({ ids, isComplement }: IssueSet, all: number): number => (isComplement ? all - ids.size : ids.size)
