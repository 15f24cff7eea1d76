/**
 * An answer of a tool as data: the origin, the items, and the call that continues the answer. Made once, then rendered
 * as lines or as structured content.
 */
import { MAX_RATIO } from "../text/TokenEstimate.ts"

/** Arguments of a tool call, by name. */
export type Arguments = Readonly<Record<string, unknown>>

/** A position in a list: the forge's page, and the number of its items that earlier answers showed. */
export interface Position {
  /** The forge's cursor for the page; absent for the first page. */
  readonly page?: string
  /** Number of items per page. */
  readonly perPage?: number
  readonly skip: number
}

/** How an answer continues: at a position that a cursor keeps, or with other arguments of the same tool. */
export type Continuation = { readonly position: Position } | { readonly arguments: Arguments }

/** An item of an answer. */
export interface Item {
  /** The item in structured content. */
  readonly data: unknown
  /** The item as a line, or a few lines. */
  readonly text: string
  /** Author of the text, for example of a comment. Other items have only the frame of the answer. */
  readonly author?: { readonly login: string; readonly association?: string | undefined }
  /** Heading of this and the following items with the same heading, for example the path of a file. */
  readonly heading?: string
}

/** An answer of a tool. */
export interface Answer {
  /** Origin of the items, for example repository, ref and commit. Shown in the first line, in this order. */
  readonly source: Readonly<Record<string, string | number | boolean | undefined>>
  readonly items: ReadonlyArray<Item>
  /** Name of the items in the plural, for example `commits`. If undefined, the first line has no count. */
  readonly noun?: string
  /** Total number of items, if known from the forge. */
  readonly total?: number | undefined
  /** Sentences of the server about the answer, for example that results may be missing. */
  readonly notes?: ReadonlyArray<string>
  /** True if other people wrote the items, for example the text of a file. Default: true. */
  readonly isThirdParty?: boolean
  /**
   * True if the items are content of a repository, such as lines of a file, of which only the credential in use is
   * masked.
   */
  readonly isContent?: boolean
  /** True if the caller asked for a certain number of items. The answer may then have up to `maxTokens`. */
  readonly isLarge?: boolean
  /** Maximum tokens of the answer, if less than `DEFAULT_TOKENS`. */
  readonly tokens?: number
  /** Returns how the answer continues after the first `shown` items; undefined if nothing follows. */
  readonly next?: (shown: number) => Continuation | undefined
  /** A binary file: the bytes of a resource, to which the result of a tool has a link. */
  readonly binary?: { readonly uri: string; readonly mimeType: string; readonly bytes: Uint8Array }
}

/** Tokens of an answer whose caller did not ask for a certain number of items. */
export const DEFAULT_TOKENS = 2_000

/** Maximum estimated tokens of an answer, so that the real number is at most 8,000 for any content. */
export const maxTokens = Math.floor(8_000 / MAX_RATIO)
