/** Errors of documents that do not fit the schema, in GitHub's words: clients look for them. */
import type * as GraphQlLibrary from "graphql"
import type { ASTNode, DocumentNode, GraphQLError, SelectionSetNode } from "graphql"

type Kinds = (typeof GraphQlLibrary)["Kind"]

/** The members of an error of the response that depend on its kind. */
interface ValidationError {
  readonly message?: string
  readonly path?: ReadonlyArray<string>
  readonly extensions?: Readonly<Record<string, string>>
}

type Words = (match: ReadonlyArray<string>) => {
  readonly message: string
  readonly extensions: Readonly<Record<string, string>>
}

/** GitHub's words for the library's messages. */
const words: ReadonlyArray<readonly [RegExp, Words]> = [
  [
    /^Cannot query field "(\w+)" on type "(\w+)"/,
    ([fieldName = "", typeName = ""]) => ({
      message: `Field '${fieldName}' doesn't exist on type '${typeName}'`,
      extensions: { code: "undefinedField", typeName, fieldName }
    })
  ],
  [
    /^Unknown argument "(\w+)" on field "\w+\.(\w+)"/,
    ([argumentName = "", name = ""]) => ({
      message: `Field '${name}' doesn't accept argument '${argumentName}'`,
      extensions: { code: "argumentNotAccepted", name, typeName: "Field", argumentName }
    })
  ],
  [
    /^Unknown type "(\w+)"/,
    ([typeName = ""]) => ({
      message: `No such type ${typeName}`,
      extensions: { code: "undefinedType", typeName }
    })
  ],
  [
    /^Field "(\w+)" argument "(\w+)" of type .* is required/,
    ([name = "", argument = ""]) => ({
      message: `Field '${name}' is missing required arguments: ${argument}`,
      extensions: { code: "missingRequiredArguments", className: "Field", name, arguments: argument }
    })
  ],
  [
    /^Field "(\w+)" of type "([^"]+)" must have a selection of subfields/,
    ([name = "", typeName = ""]) => ({
      message: `Field must have selections (field '${name}' returns ${typeName.replaceAll(/[[\]!]/g, "")} but has no selections. Did you mean '${name} { ... }'?)`,
      extensions: { code: "selectionMismatch", nodeName: `field '${name}'`, typeName }
    })
  ],
  [
    /^Variable "\$(\w+)" is not defined(?: by operation "(\w+)")?/,
    ([variableName = "", operation]) => ({
      message: `Variable $${variableName} is used by ${operation ?? "anonymous query"} but not declared`,
      extensions: { code: "variableNotDefined", variableName }
    })
  ],
  [
    /^Variable "\$(\w+)" is never used(?: in operation "(\w+)")?/,
    ([variableName = "", operation]) => ({
      message: `Variable $${variableName} is declared by ${operation ?? "anonymous query"} but not used`,
      extensions: { code: "variableNotUsed", variableName }
    })
  ]
]

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

/** Describes an error of the validation. The result is empty if the library's words stay. */
export const describe = (Kind: Kinds, error: GraphQLError, document: DocumentNode): ValidationError => {
  const { message, nodes } = error
  for (const [pattern, create] of words) {
    const match = pattern.exec(message)
    if (match === null) continue
    const path = pathOf(Kind, document, nodes?.[0])
    return { ...create(match.slice(1)), ...(path === undefined ? {} : { path }) }
  }
  return {}
}
