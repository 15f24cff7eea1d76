/** What an operation gives to other people or servers: access to data or to an account, or the data. */
import { isObject } from "effect/Predicate"

type Arguments = Readonly<Record<string, unknown>>

/**
 * The exposure of an operation. User interfaces ask before a call with an exposure, as before a call that cannot be
 * undone.
 */
export interface Exposure {
  /** `access`: other people can read or change more than before. `data`: data is sent to another server. */
  readonly gives: "access" | "data"
  /**
   * Sentence with a full stop that says what is given, and to whom. `{config.url|its address}` stands for the value of
   * an argument, or for the words after the bar without the argument.
   */
  readonly consequence: string
  /** Only calls with one of these values (`"any"`: any value), or in this folder, are exposed. Default: all calls. */
  readonly when?:
    | { readonly values: Readonly<Record<string, "any" | ReadonlyArray<string | boolean>>> }
    | { readonly folder: string }
}

/** Exposure of an operation that writes files, of which workflows run with the rights of the repository. */
export const workflowFiles: Exposure = {
  gives: "access",
  consequence: "A file is a workflow: what the workflow runs gets the tokens and the secrets of the repository.",
  when: { folder: ".github/workflows" }
}

/** Exposure of an operation that sets the configuration of a webhook. `scope` is what has the events. */
export const webhook = (scope: string, url: string, when?: Exposure["when"]): Exposure => ({
  gives: "data",
  consequence: `The events of ${scope}, with their content, are sent to {${url}|the address of the webhook}.`,
  ...(when === undefined ? {} : { when })
})

/** Returns whether a call with this input exposes data or access. */
export const applies = ({ when }: Exposure, input: Arguments): boolean => {
  if (when === undefined) return true
  if ("folder" in when) return isIn(when.folder, input)
  return Object.entries(when.values).some(([name, values]) => {
    const value = input[name]
    return value !== undefined && (values === "any" || values.some((one) => one === value))
  })
}

/** Returns the sentence for a call. `show` formats a value, which can be a hostile text. */
export const describe = ({ consequence }: Exposure, input: Arguments, show: (value: string) => string): string =>
  consequence.replace(/\{([\w.]+)\|([^}]*)\}/g, (_, path: string, without: string) => {
    const value = path
      .split(".")
      .reduce<unknown>((at, name) => (isObject(at) ? Reflect.get(at, name) : undefined), input)
    return typeof value === "string" ? show(value) : without
  })

/**
 * Returns whether a call writes a file in a folder: at a path, or as an entry of a tree that the call does not remove.
 */
const isIn = (folder: string, { path, tree }: Arguments): boolean => {
  const below = (given: unknown) => typeof given === "string" && `${normal(given)}/`.startsWith(`${folder}/`)
  if (below(path)) return true
  return (Array.isArray(tree) ? tree : []).filter(isObject).some((entry) => {
    const { content, mode, path, sha }: Arguments = { ...entry }
    if (content === undefined && sha === null) return false
    // The tree of a parent folder can contain the folder.
    const contains = mode === "040000" && typeof path === "string" && folder.startsWith(`${normal(path)}/`)
    return below(path) || contains
  })
}

/** Returns a path without repeated slashes and dots, in lower case: some file systems do not distinguish the case. */
const normal = (path: string): string =>
  path
    .toLowerCase()
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/")
