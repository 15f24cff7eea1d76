import type { Occurrence } from "@tongs/syntax/navigation/Occurrence"
import type { SourceFile } from "@tongs/syntax/navigation/SourceFile"
import type { Modules } from "../modules/Modules.ts"
import type { Shape, Written } from "./TypeNodes.ts"

/** Maximum number of steps that lead to a type. */
export const MAX_DEPTH = 24

/**
 * What the parts of type inference use of each other. `Types` implements it. A result is empty if the type is not
 * known. `depth` is the number of steps that led to a call.
 */
export interface Inference {
  readonly modules: Modules
  /** Counts a step. True once the steps or the time are used up, or types refer to each other without end. */
  readonly isOver: (depth: number) => boolean
  readonly occurrences: (file: SourceFile, name: string) => ReadonlyArray<Occurrence>
  /** Returns the types with members that written types mean. */
  readonly resolve: (types: ReadonlyArray<Written>, depth: number) => Promise<ReadonlyArray<Shape>>
  /** Returns the types of an expression. */
  readonly ofExpression: (expression: Written, depth: number) => Promise<ReadonlyArray<Shape>>
  /** Returns the written types of an expression, or the expression itself if it is an object or function. */
  readonly writtenOf: (expression: Written, depth: number) => Promise<ReadonlyArray<Written>>
  /** Returns the types that the place of an expression expects. */
  readonly expected: (expression: Written, depth: number) => Promise<ReadonlyArray<Shape>>
  /** Returns the written types of the members with a name. */
  readonly membersOf: (shapes: ReadonlyArray<Shape>, name: string, depth: number) => Promise<ReadonlyArray<Written>>
  /** Returns the types that a class or interface extends, also indirectly. */
  readonly bases: (shape: Shape, depth: number) => Promise<ReadonlyArray<Shape>>
}
