/** A command whose subcommands are created when the command is run or shown. The others cost the start nothing. */

/** What the program reads of every command: to find it by name, and to list it in a help text. */
const cheap: ReadonlySet<string | symbol> = new Set([
  "name",
  "alias",
  "description",
  "shortDescription",
  "unlisted",
  "config",
  "contextConfig",
  "annotations",
  "globalFlags"
])

/** Returns the command that `make` creates. `outline` is the same command without its subcommands. */
export const make = <C extends object>(outline: object, make: () => C): C => {
  let made: C | undefined
  const get = (_: object, name: string | symbol): unknown =>
    Reflect.get(cheap.has(name) ? outline : (made ??= make()), name)
  return new Proxy(outline, { get }) as C // oxlint-disable-line typescript/no-unsafe-type-assertion -- reads all members from `C`, or equal ones
}
