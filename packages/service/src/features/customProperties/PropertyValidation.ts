/** Validates definitions and values of custom properties. */
import * as Effect from "effect/Effect"
import type { NewCustomProperty } from "@tongs/core/contract/groups/CustomProperties"
import * as ApiError from "../../api/ApiError.ts"
import * as Characters from "../../base/Characters.ts"
import type { PropertyRow, PropertyValue } from "../../repositories/CustomPropertyRows.ts"

/** Maximum number of properties of an organization, and of allowed values of a property. */
export const MAX_PROPERTIES = 100
const MAX_ALLOWED = 200

/** Maximum lengths of a name or value, of a URL, and of a description, in characters. */
const MAX_TEXT = 75
const MAX_URL = 2000
const MAX_DESCRIPTION = 255

const namePattern = /^[\w$#-]+$/

/** The error for a field of a definition or value. */
export const invalid = (field: string, message: string) =>
  ApiError.invalid("Validation Failed", [{ resource: "CustomProperty", field, code: "custom", message }])

type Invalid = ReturnType<typeof invalid>

const isPlain = (text: string) => text !== "" && !Characters.exceed(text, MAX_TEXT) && !/["\p{Cc}]/u.test(text)

const isWebAddress = (text: string) =>
  !Characters.exceed(text, MAX_URL) && /^https?:$/.test(URL.parse(text)?.protocol ?? "") && !/[\s\p{Cc}]/u.test(text)

/** Returns why a value is invalid. Undefined for a valid value. */
const problemOf = (
  { allowed_values, name, value_type }: Pick<PropertyRow, "allowed_values" | "name" | "value_type">,
  value: PropertyValue
): string | undefined => {
  const isList = typeof value !== "string"
  if (isList !== (value_type === "multi_select"))
    return `Property '${name}' needs ${isList ? "a single value" : "a list of values"}`
  const texts = isList ? value : [value]
  if (new Set(texts).size < texts.length) return `Property '${name}' has a value twice`
  const wrong = texts.find((text) => {
    switch (value_type) {
      case "single_select":
      case "multi_select":
        return allowed_values?.includes(text) !== true
      case "true_false":
        return text !== "true" && text !== "false"
      case "url":
        return !isWebAddress(text)
      case "string":
        return !isPlain(text)
    }
  })
  if (wrong !== undefined) return `Property '${name}' cannot have the value '${wrong.slice(0, MAX_TEXT)}'`
  return texts.length === 0 ? `Property '${name}' needs at least one value` : undefined
}

/** True if a definition permits a value. */
export const permits = (definition: PropertyRow, value: PropertyValue) => problemOf(definition, value) === undefined

/** Checks a value of a property. Fails with 422. */
export const checkValue = (definition: PropertyRow, value: PropertyValue | null): Effect.Effect<void, Invalid> => {
  const problem = value === null ? undefined : problemOf(definition, value)
  return problem === undefined ? Effect.void : Effect.fail(invalid("value", problem))
}

/** Checks a definition. Missing members get the defaults. Fails with 422. */
export const definitionOf = Effect.fnUntraced(function* (
  organizationId: number,
  name: string,
  given: NewCustomProperty
): Effect.fn.Return<PropertyRow, Invalid> {
  const { allowed_values = null, default_value = null, description = null, required = false, value_type } = given
  if (!namePattern.test(name) || Characters.exceed(name, MAX_TEXT)) {
    return yield* invalid(
      "property_name",
      `property_name must be at most ${MAX_TEXT} letters, digits or any of the characters _ - $ #`
    )
  }
  if (Characters.exceed(description ?? "", MAX_DESCRIPTION))
    return yield* invalid("description", `description is longer than ${MAX_DESCRIPTION} characters`)
  const selects = value_type === "single_select" || value_type === "multi_select"
  if (selects && (allowed_values === null || allowed_values.length === 0))
    return yield* invalid("allowed_values", `allowed_values is required for the type ${value_type}`)
  if (!selects && allowed_values !== null && allowed_values.length > 0)
    return yield* invalid("allowed_values", `allowed_values is not supported for the type ${value_type}`)
  if (allowed_values !== null && allowed_values.length > MAX_ALLOWED)
    return yield* invalid("allowed_values", `allowed_values has more than ${MAX_ALLOWED} values`)
  if (allowed_values !== null && new Set(allowed_values).size < allowed_values.length)
    return yield* invalid("allowed_values", "allowed_values has a value twice")
  if (allowed_values !== null && !allowed_values.every(isPlain)) {
    return yield* invalid(
      "allowed_values",
      `allowed_values must be texts of at most ${MAX_TEXT} characters without quotation marks`
    )
  }
  if (required && default_value === null)
    return yield* invalid("default_value", "default_value is required if the property is required")
  if (!required && default_value !== null)
    return yield* invalid("default_value", "default_value is only supported if the property is required")
  const definition: PropertyRow = {
    organization_id: organizationId,
    name,
    value_type,
    required: required ? 1 : 0,
    default_value,
    description,
    allowed_values: selects ? allowed_values : null,
    values_editable_by: given.values_editable_by ?? "org_actors",
    require_explicit_values: given.require_explicit_values === true ? 1 : 0
  }
  yield* checkValue(definition, default_value)
  return definition
})
