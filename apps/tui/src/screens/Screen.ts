/** The definition of a screen: place, arguments and source of content. */
import type { CatalogEntry } from "@tongs/core/contract/CatalogEntry"
import type { Form } from "../actions/Form.ts"
import type { Arguments } from "../content/Route.ts"
import type { Environment, Source } from "../content/Source.ts"

/**
 * A screen. Screens of read operations have the operation's id, so that every link to the operation opens the screen.
 */
export interface Screen {
  /** `group.operation` for the screen of a read operation; otherwise a word. */
  readonly id: string
  /** The name of the screen in tabs and in the palette. */
  readonly label: string
  /** The read operation of the screen. The operations of the same group become the actions of the screen. */
  readonly entry?: CatalogEntry | undefined
  /** Names of the arguments without which the screen cannot open. */
  readonly required: ReadonlyArray<string>
  /** Returns the title in the header, for example the name of a branch. */
  readonly title: (values: Arguments) => string
  /** Returns values for the required arguments of the operation that the screen does not need. */
  readonly defaults?: ((now: number) => Arguments) | undefined
  /**
   * Returns the arguments of the shorter or longer, or the previous or next period. The keys for sections then change
   * the period. Undefined at the last period. `now` is in epoch milliseconds.
   */
  readonly changePeriod?: ((values: Arguments, step: 1 | -1, now: number) => Arguments | undefined) | undefined
  /** The form that asks for arguments each time before the screen opens, because opening the screen has an effect. */
  readonly form?: (values: Arguments) => Form | undefined
  readonly open: (environment: Environment, values: Arguments) => Source
}

/** Returns an argument as text; empty for a missing argument. */
export const text = (values: Arguments, name: string): string => {
  const value = values[name]
  return typeof value === "string" || typeof value === "number" ? String(value) : ""
}
