/** Errors of the validation in GitHub's words, with GitHub's codes. Clients such as gh match the words. */
import type * as GraphQlLibrary from "graphql"
import type { ASTNode, DocumentNode, GraphQLError, SelectionSetNode, TypeNode } from "graphql"

type Kinds = (typeof GraphQlLibrary)["Kind"]

/** What GitHub reports for an invalid part of a document. */
interface Described {
  readonly message: string
  readonly extensions: Readonly<Record<string, string>>
}

type Rule = readonly [pattern: RegExp, describe: (...parts: ReadonlyArray<string>) => Described]

const described = (code: string, message: string, members: Readonly<Record<string, string>> = {}): Described => ({
  message,
  extensions: { code, ...members }
})

/** Patterns of the library's messages, and GitHub's message for their groups. */
const rules: ReadonlyArray<Rule> = [
  [
    /^Cannot query field "(.+?)" on type "(.+?)"/,
    (field = "", type = "") =>
      described("undefinedField", `Field '${field}' doesn't exist on type '${type}'`, {
        typeName: type,
        fieldName: field
      })
  ],
  [
    /^Unknown type "(.+?)"/,
    (type = "") =>
      described("undefinedType", `No such type ${type}, so it can't be a fragment condition`, { typeName: type })
  ],
  [
    /^Unknown argument "(.+?)" on field ".+?\.(.+?)"/,
    (argument = "", field = "") =>
      described("argumentNotAccepted", `Field '${field}' doesn't accept argument '${argument}'`, {
        name: field,
        typeName: "Field",
        argumentName: argument
      })
  ],
  [
    /^Field "(.+?)" argument "(.+?)" of type ".+?" is required/,
    (field = "", argument = "") =>
      described("missingRequiredArguments", `Field '${field}' is missing required arguments: ${argument}`, {
        className: "Field",
        name: field,
        arguments: argument
      })
  ],
  [
    /^Variable "\$(.+?)" is not defined(?: by operation "(.+?)")?/,
    (variable = "", operation = "anonymous query") =>
      described("variableNotDefined", `Variable $${variable} is used by ${operation} but not declared`, {
        variableName: variable
      })
  ],
  [
    /^Variable "\$(.+?)" is never used(?: in operation "(.+?)")?/,
    (variable = "", operation = "anonymous query") =>
      described("variableNotUsed", `Variable $${variable} is declared by ${operation} but not used`, {
        variableName: variable
      })
  ],
  [
    /^Variable "\$(.+?)" of type "(.+?)" used in position expecting type "(.+?)"/,
    (variable = "", type = "", expected = "") =>
      described("variableMismatch", `Type mismatch on variable $${variable} (${type} / ${expected})`, {
        variableName: variable,
        typeName: type
      })
  ],
  [
    /^Unknown fragment "(.+?)"/,
    (fragment = "") =>
      described("useAndDefineFragment", `Fragment ${fragment} was used, but not defined`, { fragmentName: fragment })
  ],
  [
    /^Fragment "(.+?)" is never used/,
    (fragment = "") =>
      described("useAndDefineFragment", `Fragment ${fragment} was defined, but not used`, { fragmentName: fragment })
  ],
  [
    /^Field "(.+?)" must not have a selection since type "(.+?)" has no subfields/,
    (field = "", type = "") =>
      described("selectionMismatch", `Selections can't be made on scalars (field '${field}' returns ${type})`, {
        nodeName: `field '${field}'`,
        typeName: type
      })
  ],
  [
    /^Field "(.+?)" of type "(.+?)" must have a selection of subfields/,
    (field = "", type = "") =>
      described(
        "selectionMismatch",
        `Field must have selections (field '${field}' returns ${type.replaceAll(/[[\]!]/g, "")} but has no selections. Did you mean '${field} { ... }'?)`,
        { nodeName: `field '${field}'`, typeName: type }
      )
  ],
  [
    /^Unknown directive "@(.+?)"/,
    (name = "") => described("undefinedDirective", `Directive @${name} is not defined`, { directiveName: name })
  ],
  [/^Fields "(.+?)" conflict/, () => described("fieldConflict", "")],
  [
    /(cannot represent|^Expected value of type|does not exist in ".+?" enum)/,
    () => described("argumentLiteralsIncompatible", "")
  ]
]

/** Maximum characters of a path. Its names can be as long as the document. */
const MAX_PATH = 1000

/** Returns the path to a field of a document, which begins with the operation or the fragment. */
const pathOf = (
  Kind: Kinds,
  document: DocumentNode,
  wanted: ASTNode | undefined
): ReadonlyArray<string> | undefined => {
  const within = (
    set: SelectionSetNode | undefined,
    path: ReadonlyArray<string>
  ): ReadonlyArray<string> | undefined => {
    for (const one of set?.selections ?? []) {
      const isField = one.kind === Kind.FIELD
      const at = isField ? [...path, (one.alias ?? one.name).value] : path
      const isHere = one === wanted || (isField && one.arguments?.some((argument) => argument === wanted) === true)
      const found = isHere ? at : one.kind === Kind.FRAGMENT_SPREAD ? undefined : within(one.selectionSet, at)
      if (found !== undefined) return found
    }
    return undefined
  }
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION && definition.kind !== Kind.FRAGMENT_DEFINITION) continue
    const kind = definition.kind === Kind.FRAGMENT_DEFINITION ? "fragment" : definition.operation
    const found = within(definition.selectionSet, [[kind, definition.name?.value ?? ""].join(" ").trim()])
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns the message and the extensions for a message of the library. A message without a rule stays as it is. */
const inWords = (message: string): Described => {
  for (const [pattern, create] of rules) {
    const parts = pattern.exec(message)
    if (parts === null) continue
    const found = create(...parts.slice(1))
    return found.message === "" ? { ...found, message } : found
  }
  return described("invalidDocument", message)
}

/** Returns the variable of a document that has a type, if it is not the type of a fragment. */
const variableWith = ({ definitions }: DocumentNode, type: ASTNode | undefined): string | undefined => {
  for (const definition of definitions) {
    for (const { type: declared, variable } of "variableDefinitions" in definition
      ? (definition.variableDefinitions ?? [])
      : []) {
      let named: TypeNode = declared
      while ("type" in named) named = named.type
      if (named === type) return variable.name.value
    }
  }
  return undefined
}

/** Describes an error with `message`, its own or a shorter one. An error in a field has the path of the field. */
export const describe = (Kind: Kinds, message: string, { nodes }: GraphQLError, document: DocumentNode) => {
  const [node] = nodes ?? []
  const place = pathOf(Kind, document, node)
  const path = place !== undefined && place.join(" ").length > MAX_PATH ? undefined : place
  const found = inWords(message)
  const variable = found.extensions["code"] === "undefinedType" ? variableWith(document, node) : undefined
  if (variable !== undefined) {
    const { typeName = "" } = found.extensions
    return described("variableRequiresValidType", `${typeName} isn't a defined input type (on $${variable})`, {
      typeName,
      variableName: variable
    })
  }
  return { ...found, ...(path === undefined ? {} : { path }) }
}
