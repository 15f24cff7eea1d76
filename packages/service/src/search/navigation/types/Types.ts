/** Infers the types of expressions in TypeScript from what is written: annotations, members of types, and calls. */
import type { Occurrence } from "@tongs/syntax/navigation/Occurrence"
import * as SourceFile from "@tongs/syntax/navigation/SourceFile"
import type { Modules } from "../modules/Modules.ts"
import * as DeclaredNames from "./DeclaredNames.ts"
import * as ExpectedTypes from "./ExpectedTypes.ts"
import * as ExpressionTypes from "./ExpressionTypes.ts"
import { type Inference, MAX_DEPTH } from "./Inference.ts"
import * as ObjectKeys from "./ObjectKeys.ts"
import * as TypeMembers from "./TypeMembers.ts"
import type { Shape, Written } from "./TypeNodes.ts"
import * as WrittenTypes from "./WrittenTypes.ts"

/** Maximum number of steps for one file. */
const MAX_STEPS = 20_000

/** A type by its name and file. */
interface NamedType {
  readonly path: string
  readonly scope: string | undefined
}

/** Infers types in one commit, within the bounds of `modules`. Results are empty if the type is not known. */
export class Types implements Inference {
  readonly modules: Modules
  readonly #memberTexts = new Map<string, ReadonlyMap<string, string>>()
  /** Occurrences in the file that was read last, because many expressions of a file use the same names. */
  #last: { readonly file: SourceFile.SourceFile; readonly byName: Map<string, ReadonlyArray<Occurrence>> } | undefined
  #steps = 0

  constructor(modules: Modules) {
    this.modules = modules
  }

  /** Allows further steps, for the next file. */
  restart(): void {
    this.#steps = 0
  }

  /** Counts a step. True once the steps or the time are used up, or types refer to each other without end. */
  isOver(depth: number): boolean {
    return this.#steps++ > MAX_STEPS || depth > MAX_DEPTH || this.modules.isExhausted
  }

  /** Returns the types of an expression. */
  async ofExpression(expression: Written, depth: number = 0): Promise<ReadonlyArray<Shape>> {
    return this.resolve(await this.writtenOf(expression, depth), depth)
  }

  /** Returns the types that the place of an expression expects. */
  async expected(expression: Written, depth: number = 0): Promise<ReadonlyArray<Shape>> {
    return this.resolve(await ExpectedTypes.typesOf(this, expression, depth), depth)
  }

  /** Returns the types from which a pattern takes the name at a node: `const { name } = value`. */
  async ofPattern(name: Written): Promise<ReadonlyArray<Shape>> {
    const pattern = name.node.parent?.parent
    return pattern?.name === "ObjectPattern" ? DeclaredNames.ofPattern(this, { ...name, node: pattern }, 0) : []
  }

  /** Returns the type that a file declares by a name, or that a variable with this name is declared to have. */
  named(path: string, file: SourceFile.SourceFile, name: string): Promise<ReadonlyArray<Shape>> {
    return WrittenTypes.named(this, path, file, name)
  }

  /** Returns the types that a class or interface extends, also indirectly. */
  bases(shape: Shape, depth: number = 0): Promise<ReadonlyArray<Shape>> {
    return WrittenTypes.bases(this, shape, depth)
  }

  /** False if an object cannot have any of the types, by its keys. */
  async canHaveType(object: Written, types: ReadonlyArray<NamedType>): Promise<boolean> {
    for (const { path, scope } of types) {
      const members = scope === undefined ? undefined : await this.#membersOfNamed(path, scope)
      if (members === undefined || ObjectKeys.fit(object, members)) return true
    }
    return false
  }

  /** Returns the members of a type with their written types. Undefined if the members are not known. */
  async #membersOfNamed(path: string, name: string): Promise<ReadonlyMap<string, string> | undefined> {
    const key = `${path} ${name}`
    const known = this.#memberTexts.get(key)
    if (known !== undefined) return known
    const file = await this.modules.files.file(this.modules.at, path)
    const texts = file === undefined ? undefined : await TypeMembers.textsOf(this, await this.named(path, file, name))
    if (texts === undefined || texts.size === 0) return undefined
    this.#memberTexts.set(key, texts)
    return texts
  }

  writtenOf(expression: Written, depth: number): Promise<ReadonlyArray<Written>> {
    return ExpressionTypes.typesOf(this, expression, depth)
  }

  resolve(types: ReadonlyArray<Written>, depth: number): Promise<ReadonlyArray<Shape>> {
    return WrittenTypes.resolve(this, types, depth)
  }

  /** Returns the declarations of the members with a name: file and node of the name. */
  async memberNames(shapes: ReadonlyArray<Shape>, name: string): Promise<ReadonlyArray<Written>> {
    const found = await TypeMembers.declared(this, shapes, name, 0)
    return found.map(({ leaf, shape: { file, path } }) => ({ file, path, node: leaf }))
  }

  membersOf(shapes: ReadonlyArray<Shape>, name: string, depth: number): Promise<ReadonlyArray<Written>> {
    return TypeMembers.membersOf(this, shapes, name, depth)
  }

  occurrences(file: SourceFile.SourceFile, name: string): ReadonlyArray<Occurrence> {
    if (this.#last?.file !== file) this.#last = { file, byName: new Map() }
    const known = this.#last.byName.get(name) ?? SourceFile.occurrences(file, name)
    this.#last.byName.set(name, known)
    return known
  }
}
