/** The structure of a Markdown document. */
import type { Role } from "./StyledLine.ts"

/** A piece of text. The text `\n` breaks the line. */
export interface Inline {
  readonly text: string
  /** Default: the role of the block. */
  readonly role?: Role
  /** The target of a link. */
  readonly url?: string
}

/** The text of a paragraph, a heading or a cell. */
export type Content = ReadonlyArray<Inline>

/** A block of code. */
export interface Code {
  readonly type: "code"
  readonly text: string
  /** The name of the language, as in the source. */
  readonly language: string
}

/** An item of a list. */
export interface Item {
  /** Only for items of a task list. */
  readonly isDone?: boolean
  readonly blocks: ReadonlyArray<Block>
}

/** The alignment of a column. */
export type Align = "left" | "right" | "center"

/** A table. The first row is the header. */
export interface Table {
  readonly type: "table"
  readonly aligns: ReadonlyArray<Align>
  readonly rows: ReadonlyArray<ReadonlyArray<Content>>
}

/** A part of a document. */
export type Block =
  | { readonly type: "heading"; readonly level: number; readonly content: Content }
  | { readonly type: "paragraph"; readonly content: Content }
  | Code
  | Table
  | { readonly type: "rule" }
  | { readonly type: "quote"; readonly blocks: ReadonlyArray<Block> }
  | {
      readonly type: "list"
      /** The number of the first item; undefined for bullets. */
      readonly first?: number
      /** True if no empty lines separate the items. */
      readonly isTight: boolean
      readonly items: ReadonlyArray<Item>
    }

/** A parsed document. */
export interface Document {
  readonly blocks: ReadonlyArray<Block>
  /**
   * The URLs of links whose text does not show the URL. The text of such a link ends with a number in brackets, from 1.
   */
  readonly references: ReadonlyArray<string>
}

/** Returns all code blocks. */
export const codes = (blocks: ReadonlyArray<Block>): ReadonlyArray<Code> =>
  blocks.flatMap((block) => {
    switch (block.type) {
      case "code":
        return [block]
      case "quote":
        return codes(block.blocks)
      case "list":
        return block.items.flatMap((item) => codes(item.blocks))
      default:
        return []
    }
  })
