/** Sample items that give every argument that the contract declares on the resource. */
import * as Schema from "effect/Schema"
import * as Args from "./Arguments.ts"
import type { CatalogEntry } from "./Catalog.ts"
import * as Presentation from "./Presentation.ts"
import * as Samples from "./Samples.test-support.ts"

/** Texts of which one matches each pattern of the contract. */
const texts = [
  "refs/heads/main",
  "octo/hello",
  "installation",
  "https://forge.test/repos/octo/hello",
  "https://forge.test/repos/octo/hello/issues/1",
  "https://forge.test/repos/octo/hello/labels/bug"
]

/** The name of an operation, for example `gitRefs.get`. */
export const nameOf = ({ group, name }: CatalogEntry) => `${group}.${name}`

/** An item of a list, or the resource that an operation returns, from which `names` can be read. */
export const item = (entry: CatalogEntry, names: ReadonlyArray<string>): unknown => {
  const [ast] = Args.itemSchemas(entry)
  const sample = ast === undefined ? undefined : Samples.of(Schema.make<Schema.Top>(ast))
  return names.reduce((made, name) => {
    const argument = Args.given(entry)[name]
    if (argument === undefined || typeof argument === "string") return made
    const { path, pattern, when = {} } = argument
    const matching = pattern === undefined ? undefined : texts.find((text) => new RegExp(pattern, "u").test(text))
    const changes = Object.entries({ ...when, ...(matching === undefined ? {} : { [path]: matching }) })
    return changes.reduce((row, [member, value]) => withMember(row, member.split("."), value), made)
  }, sample)
}

const withMember = (value: unknown, [name, ...rest]: ReadonlyArray<string>, member: unknown): unknown => {
  if (name === undefined) return member
  return {
    ...(Presentation.isRow(value) ? value : {}),
    [name]: withMember(Presentation.valueAt(value, [name]), rest, member)
  }
}

/** Names of the arguments that items of `entry` give and `target` takes. */
export const namesOf = (entry: CatalogEntry, target: CatalogEntry): ReadonlyArray<string> =>
  Args.keys(target).filter((name) => name in Args.given(entry))

/** Values of the required fields of an operation. */
export const requiredInput = ({ fields }: CatalogEntry): Args.Arguments =>
  Object.fromEntries(
    fields
      .filter(({ in: place, required }) => required && place !== "body")
      .map(({ kind, name, values }) => [name, values[0] ?? (kind === "integer" ? 1 : "2026-01-31T12:00:00Z")])
  )
