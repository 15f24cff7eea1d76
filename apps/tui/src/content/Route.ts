/** A screen with its arguments. Routes are data: the session file and the history contain them. */
import * as Schema from "effect/Schema"

/** Values of parameters by name, such as `owner` and `hook_id`. */
export type Arguments = Readonly<Record<string, unknown>>

/** The schema of a route, for the session file. */
export const Route = Schema.Struct({
  /** Id of the screen in the registry. For the screen of a read operation, `group.operation`. */
  screen: Schema.String,
  arguments: Schema.Record(Schema.String, Schema.Unknown)
})

/** A screen with the arguments that identify its content. */
export type Route = typeof Route.Type

/** Creates a route. Leaves out undefined arguments. */
export const make = (screen: string, values: Arguments = {}): Route => ({ screen, arguments: defined(values) })

/** Leaves out undefined arguments. */
export const defined = (values: Arguments): Arguments =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

/** Returns a key for maps. Equal routes have the same id. */
export const id = ({ arguments: values, screen }: Route): string =>
  JSON.stringify([screen, ...Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1))])

/** Returns an argument as text; undefined if the route lacks it. */
export const text = (self: Route, name: string): string | undefined => {
  const value = self.arguments[name]
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined
}
